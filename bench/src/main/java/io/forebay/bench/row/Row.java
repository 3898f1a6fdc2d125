package io.forebay.bench.row;

import java.util.ArrayList;
import java.util.List;

/** A part of the benchmark that starts from nothing and leaves nothing behind but samples. */
public interface Row {
    /** For progress and for a report of trouble. */
    String name();

    /** Measures. What was added to the samples before a failure stays. */
    void run(Bench bench);

    /** The rows that a plan asks for, in the order they are run. */
    static List<Row> of(Plan plan) {
        List<Row> rows = new ArrayList<>();
        if (plan.asks(RowName.PRODUCE) || plan.asks(RowName.CONSUME)) {
            rows.add(new StreamRow());
        }
        if (plan.asks(RowName.MANY)) {
            rows.add(new ManyRow());
        }
        if (plan.asks(RowName.START)
                || plan.asks(RowName.RECOVER)
                || plan.asks(RowName.CREATE)
                || plan.asks(RowName.IDLE)) {
            rows.add(new LifeRow());
        }
        if (plan.asks(RowName.LATENCY)) {
            rows.add(new LatencyRow());
        }
        return rows;
    }
}
