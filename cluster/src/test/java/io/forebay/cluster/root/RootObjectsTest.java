package io.forebay.cluster.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.log.journal.Maker;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Bytes of a term as docs/formats/metadata.md has them: what was once written stays readable. */
final class RootObjectsTest {

    private static final ObjectKey KEY = RootObjects.term(7);
    private static final Maker PROCESS = new Maker(0x1122334455667788L, 0x0102030405060708L);

    /** Node 3, written by version 1: no address. */
    private static final String VERSION_1 = "4652010000000003112233445566778801020304050607080000019a00000000";

    private static final String VERSION_2 = "4652020000000003112233445566778801020304050607080000019a00000000" + "000e"
            + "3132372e302e302e313a39303936";

    @Test
    void aTermIsWrittenAsItIsDescribed() {
        ByteBuffer written = RootObjects.encodeTerm(3, PROCESS, 0x0000019a00000000L, "127.0.0.1:9096");

        byte[] bytes = new byte[written.remaining() - Integer.BYTES];
        written.get(bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(VERSION_2);
    }

    @Test
    void aTermIsReadAsItWasWritten() {
        assertThat(RootObjects.decodeTerm(KEY, withCrc(VERSION_2)))
                .isEqualTo(new TermClaim(7, 3, PROCESS, "127.0.0.1:9096"));
        assertThat(RootObjects.decodeTerm(KEY, RootObjects.encodeTerm(3, PROCESS, 5, "")))
                .isEqualTo(new TermClaim(7, 3, PROCESS, ""));
    }

    @Test
    void aTermOfTheFirstVersionHasNoAddress() {
        assertThat(RootObjects.decodeTerm(KEY, withCrc(VERSION_1))).isEqualTo(new TermClaim(7, 3, PROCESS, ""));
    }

    @Test
    void aTermThatWasChangedOrCutIsDamaged() {
        byte[] bytes = withCrc(VERSION_2).array();
        for (int at = 0; at < bytes.length; at++) {
            byte[] changed = bytes.clone();
            changed[at] ^= 1;
            assertThatThrownBy(() -> RootObjects.decodeTerm(KEY, ByteBuffer.wrap(changed)))
                    .isInstanceOf(StoreException.class);
            ByteBuffer cut = ByteBuffer.wrap(bytes, 0, at).slice();
            assertThatThrownBy(() -> RootObjects.decodeTerm(KEY, cut)).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void aTermOfALaterVersionAsksForANewerForebay() {
        assertThatThrownBy(() -> RootObjects.decodeTerm(KEY, withCrc(VERSION_2.replaceFirst("465202", "465203"))))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.INVALID))
                .hasMessageContaining("start a newer one");
    }

    private static ByteBuffer withCrc(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes);
        return ByteBuffer.allocate(bytes.length + Integer.BYTES)
                .put(bytes)
                .putInt((int) crc.getValue())
                .flip();
    }
}
