package dev.abacus.schemas.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
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
  void aMistakeInTheFileIsReportedWithItsLine() throws Exception {
    Path file = folder.resolve("models.json");
    Files.writeString(file, "[\n{\"name\":\"own\",\"contextTokens\":1,\"prize\":1}]");

    assertThatThrownBy(() -> ModelCatalogue.builtIn().extendedBy(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("prize");
  }

  @Test
  void anUnknownModelIsRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> ModelCatalogue.builtIn().get("gpt-3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gpt-4o-mini");
  }
}
