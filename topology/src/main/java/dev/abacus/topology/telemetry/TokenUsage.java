package dev.abacus.topology.telemetry;

import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.CallPurpose;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The metric {@code gen_ai.client.token.usage} of OpenTelemetry's semantic conventions for
 * generative AI (version 1.37), and what the tokens cost, by the keys of the bill: program,
 * operator, model, tier and purpose.
 */
final class TokenUsage {

  private static final AttributeKey<String> TYPE = AttributeKey.stringKey("gen_ai.token.type");

  /** The boundaries that the conventions advise: powers of four. */
  private static final List<Long> BOUNDARIES =
      IntStream.rangeClosed(0, 13).mapToObj(power -> 1L << (2 * power)).toList();

  private final LongHistogram tokens;
  private final DoubleCounter cost;

  TokenUsage(Meter meter) {
    this.tokens =
        meter
            .histogramBuilder("gen_ai.client.token.usage")
            .setDescription("Input and output tokens of the attempts of model calls.")
            .setUnit("{token}")
            .ofLongs()
            .setExplicitBucketBoundariesAdvice(BOUNDARIES)
            .build();
    this.cost =
        meter
            .counterBuilder("abacus.client.cost")
            .setDescription("What the attempts of model calls cost.")
            .setUnit("USD")
            .ofDoubles()
            .build();
  }

  /** The attributes of spans and counts of an attempt. */
  static AttributesBuilder attributes(String operation, String model) {
    AttributesBuilder attributes =
        Attributes.builder()
            .put("gen_ai.operation.name", operation)
            .put("gen_ai.provider.name", "openai")
            .put("gen_ai.request.model", ServiceTier.standard(model));
    ServiceTier tier = ServiceTier.named(model);
    return tier == null ? attributes : attributes.put("openai.request.service_tier", tier.text());
  }

  /** Counts an attempt, whether it is in a trace or not. */
  void add(String operation, String model, TokenCounts used, double usd) {
    CallPurpose purpose = CallPurpose.current();
    Attributes attributes =
        attributes(operation, model)
            .put("abacus.program", purpose.program())
            .put("abacus.operator", purpose.operator())
            .put("abacus.purpose", purpose.kind().name().toLowerCase(Locale.ROOT))
            .build();
    cost.add(usd, attributes);
    if (used.input() > 0) {
      tokens.record(used.input(), attributes.toBuilder().put(TYPE, "input").build());
    }
    if (used.output() > 0) {
      tokens.record(used.output(), attributes.toBuilder().put(TYPE, "output").build());
    }
  }
}
