package io.forebay.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcParsingTest {
    private static final String STAT =
            "4711 (java (x) y) S 1 4711 4711 0 -1 1077936128 9000 0 1 0 1234 56 7 8 20 0 40 0 100 2000 300";

    @Test
    void readsUserAndSystemTimeBehindACommandWithBracketsAndBlanks() {
        ProcessTicks ticks = ProcessTicks.parse(STAT);

        assertThat(ticks).isEqualTo(new ProcessTicks(1234, 56));
        assertThat(ticks.seconds()).isEqualTo(12.90, within(1e-9));
    }

    @Test
    void refusesWhatIsNotAStatLine() {
        assertThatThrownBy(() -> ProcessTicks.parse("nothing here")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ProcessTicks.parse("1 (java) S 1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MachineTicks.parse("cpu0 1 2 3 4 5 6 7 8 9 10"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void countsStolenTimeAsBusyAndWaitingForADiskAsIdle() {
        MachineTicks ticks = MachineTicks.parse("cpu  100 1 200 5000 30 4 6 9 50 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n");

        assertThat(ticks).isEqualTo(new MachineTicks(100 + 1 + 200 + 4 + 6 + 9, 5030));
    }

    @Test
    void dividesAWindowIntoServerClientAndOthers() {
        CpuSample before = new CpuSample(0, new ProcessTicks(0, 0), new ProcessTicks(10, 0), new MachineTicks(1000, 0));
        CpuSample after = new CpuSample(
                2_000_000_000L, new ProcessTicks(50, 50), new ProcessTicks(60, 0), new MachineTicks(1190, 0));

        CpuUse use = before.until(after);

        assertThat(use.wallSeconds()).isEqualTo(2.0);
        assertThat(use.serverSeconds()).isEqualTo(1.0, within(1e-9));
        assertThat(use.clientSeconds()).isEqualTo(0.5, within(1e-9));
        assertThat(use.otherSeconds()).isEqualTo(0.4, within(1e-9));
        assertThat(use.otherShare(2)).isEqualTo(0.1, within(1e-9));
        assertThat(use.idleShare(2)).isEqualTo(1 - 1.9 / 4, within(1e-9));
    }

    @Test
    void readsFilesOfAProcess(@TempDir Path proc) throws IOException {
        Path process = Files.createDirectory(proc.resolve("4711"));
        Files.writeString(process.resolve("stat"), STAT);
        Files.writeString(process.resolve("comm"), "java\n");
        Files.writeString(process.resolve("status"), "Name:\tjava\nVmHWM:\t  900 kB\nVmRSS:\t  800 kB\n");
        ProcFiles files = new ProcFiles(proc);

        assertThat(files.process(4711)).isEqualTo(new ProcessTicks(1234, 56));
        assertThat(files.command(4711)).isEqualTo("java");
        assertThat(files.residentBytes(4711)).isEqualTo(800 * 1024);
    }

    @Test
    void readsTheMachinesMemory() {
        assertThat(Memory.totalBytes("MemTotal:       24000 kB\nMemFree: 1 kB\n"))
                .isEqualTo(24000L * 1024);
        assertThatThrownBy(() -> Memory.totalBytes("")).isInstanceOf(IllegalArgumentException.class);
    }
}
