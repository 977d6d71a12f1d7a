package dev.abacus.schemas.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelCatalogueTest {

  @TempDir Path folder;

  @Test
  void theBuiltInModelsHaveTheirPublishedPrices() {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();

    assertThat(catalogue.ofKind(ModelCard.Kind.CHAT)).hasSize(13);
    assertThat(catalogue.ofKind(ModelCard.Kind.EMBEDDING)).hasSize(2);
    assertThat(catalogue.get("gpt-4o").cost(1_000_000, 0, 100_000)).isCloseTo(3.5, within(1e-9));
    assertThat(catalogue.get("gpt-4o").cost(1_000_000, 1_000_000, 0)).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void aSiteAddsItsOwnModels() throws Exception {
    Path file = folder.resolve("models.json");
    Files.writeString(
        file,
        """
        [{"name":"own","kind":"CHAT","inputUsdPerMillion":1,"outputUsdPerMillion":2,"quality":0.5,
          "secondsPerOutputToken":0.01,"contextTokens":1000,"endpoint":"http://localhost:8000/v1",
          "apiName":"own/v1","keyVariable":"OWN_KEY"}]
        """);

    ModelCatalogue catalogue = ModelCatalogue.builtIn().extendedBy(file);

    assertThat(catalogue.get("own").nameAtEndpoint()).isEqualTo("own/v1");
    assertThat(catalogue.find("gpt-4o")).isNotNull();
  }

  @Test
  void soundsMayHaveAPriceOfTheirOwn() {
    ModelCard card =
        ModelCard.chat("hearing")
            .inputUsdPerMillion(2.5)
            .audioInputUsdPerMillion(40.0)
            .contextTokens(1000)
            .build();
    assertThat(card.surchargeOfSounds(1_000_000)).isCloseTo(37.5, within(1e-9));
    assertThat(ModelCatalogue.builtIn().get("gpt-4o").surchargeOfSounds(1000)).isZero();
    assertThatThrownBy(
            () -> ModelCard.chat("x").contextTokens(1).audioInputUsdPerMillion(-1.0).build())
        .hasMessageContaining("audioInputUsdPerMillion must be a number >= 0");
  }

  @Test
  void aModelAtATierIsAModelWithPricesOfItsOwn() {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    ModelCard standard = catalogue.get("gpt-5-nano");
    ModelCard flex = catalogue.get("gpt-5-nano@flex");
    TokenCounts tokens = new TokenCounts(1_000_000, 100_000, 50_000, 0, 0);

    assertThat(flex.nameAtEndpoint()).isEqualTo("gpt-5-nano");
    assertThat(flex.quality()).isEqualTo(standard.quality());
    assertThat(flex.cost(tokens, "flex")).isCloseTo(standard.cost(tokens) / 2, within(1e-12));
    assertThat(flex.cost(tokens, "default")).isEqualTo(standard.cost(tokens));
    assertThat(flex.cost(tokens, null)).isEqualTo(standard.cost(tokens));
  }

  @Test
  void onlyTiersOfTheCardAreModels() {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();

    assertThat(catalogue.find("gpt-4o@flex")).isNull();
    assertThat(catalogue.find("gpt-5-nano@priority")).isNull();
    assertThat(catalogue.names()).noneMatch(name -> name.contains("@"));
    assertThat(ServiceTier.standard("claude@20250514")).isEqualTo("claude@20250514");
    assertThat(ServiceTier.standard("gpt-5-nano@flex")).isEqualTo("gpt-5-nano");
  }

  @Test
  void aProgramMayCallEachModelAtEachTierThatItAllowsAndTheCardHas() {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    List<String> named = List.of("gpt-5-nano", "gpt-4o", "gpt-5-mini@flex");

    assertThat(catalogue.chatModels(named, List.of())).isEqualTo(named);
    assertThat(catalogue.chatModels(named, List.of("standard", "flex")))
        .containsExactly("gpt-5-nano", "gpt-5-nano@flex", "gpt-4o", "gpt-5-mini@flex");
    assertThat(catalogue.chatModels(named, List.of("flex")))
        .containsExactly("gpt-5-nano@flex", "gpt-5-mini@flex");
    assertThat(catalogue.chatModels(List.of(), List.of())).hasSize(13);
    assertThat(catalogue.chatModels(List.of(), List.of("standard", "flex"))).hasSize(17);
  }

  @Test
  void implementationsThatAnswerAlikeHaveOneIdWithoutTiers() {
    assertThat(ServiceTier.withoutTiers("mixture-of-agents(a@flex+b@priority,t=0.5,a@flex)"))
        .isEqualTo("mixture-of-agents(a+b,t=0.5,a)");
    assertThat(ServiceTier.withoutTiers("model-selection(a@flexible)"))
        .isEqualTo("model-selection(a@flexible)");
  }

  @Test
  void anUnknownTierInAFileIsRefused() throws Exception {
    Path file = folder.resolve("models.json");
    Files.writeString(
        file,
        "[{\"name\":\"own\",\"contextTokens\":1,\"tiers\":{\"slow\":{\"inputUsdPerMillion\":1}}}]");

    assertThatThrownBy(() -> ModelCatalogue.builtIn().extendedBy(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 1: model own: there is no tier 'slow'")
        .hasMessageContaining("flex, priority");
  }

  @Test
  void aMistakeInTheFileIsReportedWithItsLine() throws Exception {
    Path file = folder.resolve("models.json");
    Files.writeString(file, "[\n{\"name\":\"own\",\"contextTokens\":1,\"prize\":1}]");

    assertThatThrownBy(() -> ModelCatalogue.builtIn().extendedBy(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("there is no key 'prize'");
  }

  @Test
  void anUnknownModelIsRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> ModelCatalogue.builtIn().get("gpt-3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gpt-4o-mini");
  }

  @Test
  void aFileWithNullIsRefused() throws Exception {
    Path file = folder.resolve("models.json");
    for (String text : List.of("null", "[null]")) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> ModelCatalogue.builtIn().extendedBy(file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has null for a card");
    }
  }
}
