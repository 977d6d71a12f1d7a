package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PromptCacheMeterTest {

  private static final ModelCatalogue CATALOGUE = ModelCatalogue.builtIn();
  private static final String SYSTEM = "s".repeat(1000);
  private static final String DOCUMENT = "d".repeat(3000);

  /** The tokens of the prompts that all documents share. */
  private static final long SHARED = 250;

  /** Charges 1,000 input tokens, of which the first are cached, and 10 output tokens. */
  private static ModelClient billing(long cached) {
    return request -> {
      TokenCounts usage = TokenCounts.of(1000, cached, 10);
      return new ModelAnswer.Success(
          "{}",
          new ExecutionStats(CATALOGUE.get(request.model()).cost(1000, cached, 10), 1, 1, usage),
          List.of());
    };
  }

  private final PromptCacheMeter live = PromptCacheMeter.ofLive(CATALOGUE);
  private final PromptCacheMeter sample = PromptCacheMeter.ofSample(CATALOGUE, (_, _) -> SHARED);

  private static ModelRequest ask(String model, String text) {
    return ModelRequest.of(
        model,
        SYSTEM,
        List.of(new Content.Text(text)),
        new ResponseSchema("map_output", JsonNodeFactory.instance.objectNode()));
  }

  private static double cost(long cached) {
    return CATALOGUE.get("gpt-4.1").cost(1000, cached, 10);
  }

  @Test
  void aSampleCostsWhatItWouldWithoutOtherDocumentsAndStatesWhatItShares() throws Exception {
    ModelClient client = sample.around(billing(900));
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isCloseTo(cost(0), within(1e-12));
    assertThat(sample.saved()).isCloseTo(cost(0) - cost(900), within(1e-12));
    assertThat(sample.prefix()).isCloseTo(cost(0) - cost(SHARED), within(1e-12));
    assertThat(sample.prefixSaved()).isCloseTo(sample.prefix(), within(1e-12));
  }

  @Test
  void aSampleThatFoundNothingCachedStatesTheSame() throws Exception {
    ModelClient client = sample.around(billing(0));
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isCloseTo(cost(0), within(1e-12));
    assertThat(sample.saved()).isZero();
    assertThat(sample.prefix()).isCloseTo(cost(0) - cost(SHARED), within(1e-12));
    assertThat(sample.prefixSaved()).isZero();
  }

  /** A call at the tier, one that the tier refused, and one of a model without tiers. */
  @Test
  void aSampleStatesWhatItsCallsCostAtEachServiceTier() throws Exception {
    sample.call(billing(0), ask("gpt-5-nano@flex", DOCUMENT));
    assertThat(sample.atTiers()).containsOnly(entry("standard", 2.0), entry("flex", 1.0));

    double usd = CATALOGUE.get("gpt-5-nano").cost(1000, 0, 10);
    PromptCacheMeter refused = PromptCacheMeter.ofSample(CATALOGUE, (_, _) -> SHARED);
    refused.call(
        _ ->
            new ModelAnswer.Success(
                "{}", new ExecutionStats(usd, 1, 1, TokenCounts.of(1000, 0, 10)), List.of()),
        ask("gpt-5-nano@flex", DOCUMENT));
    assertThat(refused.atTiers()).containsOnly(entry("standard", 1.0), entry("flex", 0.5));

    PromptCacheMeter without = PromptCacheMeter.ofSample(CATALOGUE, (_, _) -> SHARED);
    without.call(billing(0), ask("gpt-4.1", DOCUMENT));
    assertThat(without.atTiers()).isEmpty();
    without.call(billing(0), ask("gpt-5-nano", DOCUMENT));
    assertThat(without.atTiers().get("flex"))
        .isCloseTo((cost(0) + usd / 2) / (cost(0) + usd), within(1e-12));
  }

  @Test
  void whatTheCallsOfOneDocumentShareIsItsOwn() throws Exception {
    ModelClient client = sample.around(billing(900));
    client.call(ask("gpt-4.1", DOCUMENT));
    double first = sample.prefix();
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isCloseTo(cost(900), within(1e-12));
    assertThat(client.call(ask("gpt-4.1", "d".repeat(1000) + "e".repeat(2000))).cost())
        .isCloseTo(cost(500), within(1e-12));
    assertThat(sample.prefix()).isEqualTo(first);
    assertThat(client.call(ask("gpt-4o", DOCUMENT)).cost())
        .isEqualTo(CATALOGUE.get("gpt-4o").cost(1000, 0, 10));
  }

  @Test
  @Timeout(20)
  void theTimeOfADocumentGrowsWithItsCallsAndNotWithTheirSquare() throws Exception {
    ModelClient client = live.around(billing(900));
    String document = "d".repeat(20_000);
    for (int i = 0; i < 1_000; i++) {
      client.call(ask("gpt-4.1", document + i));
    }
    assertThat(live.saved()).isCloseTo(cost(0) - cost(900), within(1e-12));
  }

  @Test
  void aLiveDocumentKeepsItsCostAndIsCounted() throws Exception {
    ModelClient client = live.around(billing(900));
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isEqualTo(cost(900));
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isEqualTo(cost(900));
    assertThat(live.saved()).as("of the first call").isCloseTo(cost(0) - cost(900), within(1e-12));
  }
}
