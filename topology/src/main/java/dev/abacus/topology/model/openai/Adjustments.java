package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RequestHash;
import dev.abacus.topology.model.ResponseSchema;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@linkplain Adjustment adjustments} that one model needs: those of its card, and those
 * learned from refusals. A learned adjustment is forgotten after an hour, so that a mistake or a
 * new version of the endpoint is noticed. Thread-safe.
 */
final class Adjustments {

  private static final Logger LOG = LoggerFactory.getLogger(Adjustments.class);
  private static final Duration MEMORY = Duration.ofHours(1);

  /**
   * A learned adjustment.
   *
   * @param schema hash of the schema that it concerns; null if it concerns all requests
   */
  private record Finding(Adjustment adjustment, @Nullable String schema) {

    static Finding of(Adjustment adjustment, ModelRequest request) {
      ResponseSchema schema = adjustment.concernsSchema() ? request.responseSchema() : null;
      return new Finding(adjustment, schema == null ? null : RequestHash.of(schema.text()));
    }
  }

  private final ModelCard card;
  private final InstantSource clock;
  private final Map<Finding, Instant> learned = new ConcurrentHashMap<>();

  Adjustments(ModelCard card, InstantSource clock) {
    this.card = card;
    this.clock = clock;
  }

  /** The adjustments of a request. */
  Set<Adjustment> of(ModelRequest request) {
    EnumSet<Adjustment> all = EnumSet.noneOf(Adjustment.class);
    ModelCard.Supports supports = card.supports();
    addIf(all, Adjustment.NO_TEMPERATURE, supports.temperature());
    addIf(all, Adjustment.NO_LOGPROBS, supports.logprobs());
    addIf(all, Adjustment.NO_REASONING_EFFORT, supports.reasoningEffort());
    if (request.responseSchema() != null) {
      addIf(all, Adjustment.SCHEMA_AS_TEXT, supports.schema());
    }
    if (!learned.isEmpty()) {
      Instant oldest = clock.instant().minus(MEMORY);
      learned.values().removeIf(oldest::isAfter);
      for (Adjustment adjustment : Adjustment.values()) {
        if (learned.containsKey(Finding.of(adjustment, request))) {
          all.add(adjustment);
        }
      }
    }
    return all;
  }

  private static void addIf(
      Set<Adjustment> all, Adjustment adjustment, @Nullable Boolean supported) {
    if (Boolean.FALSE.equals(supported)) {
      all.add(adjustment);
    }
  }

  /**
   * Remembers an adjustment that made a refused request succeed. Logs it once until it is
   * forgotten.
   *
   * @param reason what the endpoint said
   */
  void learn(Adjustment adjustment, ModelRequest request, String reason) {
    Finding finding = Finding.of(adjustment, request);
    if (learned.put(finding, clock.instant()) == null) {
      LOG.info(
          "model {}: {} for the next {} minutes{}, because the endpoint said: {}",
          card.name(),
          adjustment,
          MEMORY.toMinutes(),
          finding.schema() == null ? "" : " for one response schema",
          reason);
    }
  }
}
