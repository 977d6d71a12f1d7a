package dev.abacus.topology.document;

import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.topic.Headers;
import dev.abacus.topology.operator.Expense;
import dev.abacus.topology.runtime.Job;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** The headers of a result: those of its source record, and what was done. */
final class ResultHeaders {

  private static final MathContext DIGITS = new MathContext(6);

  private ResultHeaders() {}

  static List<Header> of(Job job, PhysicalPlan plan, Expense expense, Instant now) {
    List<Header> headers = new ArrayList<>(job.arrival().headers());
    Duration latency = Duration.between(job.admittedAt(), now);
    headers.add(header(Headers.PROGRAM, plan.program()));
    headers.add(header(Headers.PLAN_EPOCH, String.valueOf(plan.epoch())));
    headers.add(header(Headers.COST_USD, decimal(expense.cost())));
    headers.add(header(Headers.LATENCY_MS, String.valueOf(Math.max(0, latency.toMillis()))));
    headers.add(header(Headers.QUALITY_ESTIMATE, decimal(plan.estimate().quality())));
    headers.add(
        header(
            Headers.SOURCE,
            "%s-%d@%d"
                .formatted(
                    job.arrival().topic(), job.arrival().partition(), job.arrival().offset())));
    return headers;
  }

  static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  static String decimal(double value) {
    return new BigDecimal(value, DIGITS).stripTrailingZeros().toPlainString();
  }
}
