package dev.abacus.topology.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

class UncachedPricingModelClientTest {

  private static final String SYSTEM = "s".repeat(1000);
  private static final String DOCUMENT = "d".repeat(3000);

  /** Charges 1,000 input tokens, of which the first are cached, and 10 output tokens. */
  private static ModelClient billing(long cached) {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    return request -> {
      TokenCounts usage = TokenCounts.of(1000, cached, 10);
      return new ModelAnswer.Success(
          "{}", usage, catalogue.get(request.model()).cost(1000, cached, 10), 1, 1, List.of());
    };
  }

  private static ModelRequest ask(String model, String text) {
    return ModelRequest.of(
        model,
        SYSTEM,
        List.of(new Content.Text(text)),
        new ResponseSchema("map_output", JsonNodeFactory.instance.objectNode()));
  }

  private static double cost(long cached) {
    return ModelCatalogue.builtIn().get("gpt-4.1").cost(1000, cached, 10);
  }

  @Test
  void onlyTheSystemMessageKeepsTheDiscountInTheFirstCall() throws Exception {
    UncachedPricingModelClient client =
        new UncachedPricingModelClient(billing(900), ModelCatalogue.builtIn());
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isCloseTo(cost(250), within(1e-12));
    assertThat(client.added()).isCloseTo(cost(250) - cost(900), within(1e-12));
  }

  @Test
  void aPrefixThatTheRunHasSentToTheModelKeepsTheDiscount() throws Exception {
    ModelClient client = new UncachedPricingModelClient(billing(900), ModelCatalogue.builtIn());
    client.call(ask("gpt-4.1", DOCUMENT));
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isCloseTo(cost(900), within(1e-12));
    assertThat(client.call(ask("gpt-4.1", "d".repeat(1000) + "e".repeat(2000))).cost())
        .isCloseTo(cost(500), within(1e-12));
    assertThat(client.call(ask("gpt-4o", DOCUMENT)).cost())
        .isGreaterThan(ModelCatalogue.builtIn().get("gpt-4o").cost(1000, 900, 10));
  }

  @Test
  void anUncachedCallKeepsItsCost() throws Exception {
    ModelClient client = new UncachedPricingModelClient(billing(0), ModelCatalogue.builtIn());
    client.call(ask("gpt-4.1", DOCUMENT));
    assertThat(client.call(ask("gpt-4.1", DOCUMENT)).cost()).isEqualTo(cost(0));
  }
}
