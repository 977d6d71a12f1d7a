package dev.abacus.deploy.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelScoringTest {

  private static final String FILTER =
      """
        - filter: %s
          condition: It is good.
      """;

  private static LabelScoring scoring(String operators, boolean labelled) throws Exception {
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        operators:
        """
            + operators
            + "results: { topic: out }\n";
    JsonNode labels = new ObjectMapper().readTree("{\"one\": true}");
    return new LabelScoring(
        new ProgramParser(catalogue).parse(program),
        labelled ? Map.of("a", labels) : Map.of(),
        catalogue);
  }

  @Test
  void aLocalStackRecordsJourneysIfSeveralOperatorsMayDropDocuments() throws Exception {
    String two = FILTER.formatted("one") + FILTER.formatted("two");

    assertThat(PlaneSettings.of(scoring(two, true).settings(Map.of())).worker())
        .containsEntry("abacus.journeys.share", "1")
        .containsEntry("abacus.journeys.texts", "false");
    assertThat(scoring(two, true).settings(Map.of("abacus.journeys.share", "0.5")))
        .containsEntry("abacus.journeys.share", "0.5");
    assertThat(scoring(two, false).settings(Map.of())).isEmpty();
    assertThat(scoring(FILTER.formatted("one"), true).settings(Map.of())).isEmpty();
  }
}
