package dev.abacus.topology.live;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.runtime.ImmutableHeader;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;

/**
 * The headers of a result: those of its source record, which may be a result of another program,
 * and the facts of its processing.
 */
final class ResultHeaders {

  private static final MathContext DIGITS = new MathContext(6);

  private ResultHeaders() {}

  static List<Header> of(
      List<Header> before, PhysicalPlan plan, Provenance provenance, Instant now) {
    List<Header> headers = new ArrayList<>();
    Duration latency = Duration.between(provenance.admittedAt(), now);
    headers.add(ImmutableHeader.of(Headers.PROGRAM, plan.program()));
    headers.add(ImmutableHeader.of(Headers.PLAN_EPOCH, String.valueOf(plan.epoch())));
    headers.add(ImmutableHeader.of(Headers.COST_USD, decimal(provenance.cost())));
    headers.add(ImmutableHeader.of(Headers.TOKENS, tokens(provenance.usage().tokens())));
    headers.add(
        ImmutableHeader.of(Headers.LATENCY_MS, String.valueOf(Math.max(0, latency.toMillis()))));
    headers.add(ImmutableHeader.of(Headers.QUALITY_ESTIMATE, decimal(plan.estimate().quality())));
    if (!provenance.source().isEmpty()) {
      headers.add(ImmutableHeader.of(Headers.SOURCE, provenance.source()));
    }
    return ImmutableHeader.replacing(before, headers);
  }

  /**
   * {@code input=120 cached=64 output=9 reasoning=0 estimated=0}, and {@code stored=25} if calls
   * were saved.
   */
  static String tokens(TokenCounts tokens) {
    String spent =
        "input="
            + tokens.input()
            + " cached="
            + tokens.cachedInput()
            + " output="
            + tokens.output()
            + " reasoning="
            + tokens.reasoning()
            + " estimated="
            + tokens.estimated();
    return tokens.stored() == 0 ? spent : spent + " stored=" + tokens.stored();
  }

  static String decimal(double value) {
    return new BigDecimal(value, DIGITS).stripTrailingZeros().toPlainString();
  }
}
