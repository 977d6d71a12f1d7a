package dev.abacus.deploy.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.skill.ModelProfiles.EmbeddingProfile;
import dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The simulated endpoint charges what the model catalogue expects. */
class SimulatedPricesTest {

  @Test
  void pricesAreThoseOfTheCatalogue() {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    for (ModelProfile model : ModelProfiles.bundled().models()) {
      ModelCard prices = catalogue.get(model.name());
      assertThat(prices.inputUsdPerMillion())
          .as(model.name())
          .isEqualTo(model.inputUsdPerMillion());
      assertThat(prices.outputUsdPerMillion()).isEqualTo(model.outputUsdPerMillion());
      assertThat(
              Objects.requireNonNullElse(
                  prices.cachedInputUsdPerMillion(), prices.inputUsdPerMillion()))
          .isEqualTo(model.cachedInputUsdPerMillion());
    }
    for (EmbeddingProfile model : ModelProfiles.bundled().embeddings()) {
      assertThat(catalogue.get(model.name()).inputUsdPerMillion())
          .isEqualTo(model.inputUsdPerMillion());
    }
  }
}
