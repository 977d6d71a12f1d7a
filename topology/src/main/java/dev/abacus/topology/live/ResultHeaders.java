package dev.abacus.topology.live;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.topology.codec.Provenance;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** The headers of a result: those of its source record, and what was done on the whole way. */
final class ResultHeaders {

  private static final MathContext DIGITS = new MathContext(6);

  private ResultHeaders() {}

  static List<Header> of(
      List<Header> before, PhysicalPlan plan, Provenance provenance, Instant now) {
    List<Header> headers = new ArrayList<>(before);
    Duration latency = Duration.between(provenance.admittedAt(), now);
    headers.add(header(Headers.PROGRAM, plan.program()));
    headers.add(header(Headers.PLAN_EPOCH, String.valueOf(plan.epoch())));
    headers.add(header(Headers.COST_USD, decimal(provenance.cost())));
    headers.add(header(Headers.LATENCY_MS, String.valueOf(Math.max(0, latency.toMillis()))));
    headers.add(header(Headers.QUALITY_ESTIMATE, decimal(plan.estimate().quality())));
    if (!provenance.source().isEmpty()) {
      headers.add(header(Headers.SOURCE, provenance.source()));
    }
    return headers;
  }

  static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  static String decimal(double value) {
    return new BigDecimal(value, DIGITS).stripTrailingZeros().toPlainString();
  }
}
