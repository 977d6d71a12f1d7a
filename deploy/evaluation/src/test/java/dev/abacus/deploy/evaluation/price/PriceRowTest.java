package dev.abacus.deploy.evaluation.price;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.deploy.evaluation.Run;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PriceRowTest {

  private static final JsonMapper JSON = new JsonMapper();

  private static final String PROGRAM =
      """
      program: p
      sources:
        messages: { topic: m, format: json, key: id }
      operators:
        - map: classify
          input: messages
          instruction: Which intent?
          reads: [text, terms]
          writes: { intent: { type: string } }
      results: { topic: r, format: json }
      objective: { minimize: cost }
      budget: { samples: 60 }
      models: [gpt-4o, gpt-5-mini]
      judge: o4-mini
      learning: { answers: off }
      """;

  @ParameterizedTest
  @EnumSource(Lever.class)
  void bothRunsOfALeverAreProgramsAndDiffer(Lever lever) throws Exception {
    PricedRun run = new PricedRun(PROGRAM, null);
    PricedRun without = lever.without(run);
    PricedRun with = lever.with(run);

    assertThat(without).isNotEqualTo(with);
    for (PricedRun one : List.of(without, with)) {
      assertThat(new ProgramParser(ModelCatalogue.builtIn()).parse(one.program()).operators())
          .hasSize(1);
    }
  }

  @Test
  void theTierIsLeftToTheObjective() throws Exception {
    PricedRun with = Lever.FLEX.with(new PricedRun(PROGRAM, null));

    assertThat(new ProgramParser(ModelCatalogue.builtIn()).parse(with.program()).tiers())
        .containsExactly("standard", "flex");
  }

  @Test
  void programsWithoutTheirDataAreLeftOutWithAMessage(@TempDir Path empty) {
    Run run = Run.of("bench", "price", "--data", empty.toString(), "--lever", "flex", "-o", "json");

    assertThat(run.out()).isEqualToIgnoringNewLines("[]");
    assertThat(run.errorLines())
        .hasSize(6)
        .startsWith("Model calls are simulated.")
        .element(1)
        .asString()
        .contains("cuad is missing", "--data");
  }

  @Test
  void modelsWithoutAPriceOfCachedTokensKeepTheirOtherPrices() {
    PricedRun run = new PricedRun(PROGRAM, null).withoutCachedPrices();
    for (JsonNode card : Objects.requireNonNull(run.cards())) {
      String name = card.path("name").asText();
      assertThat(card.has("cachedInputUsdPerMillion")).as(name).isFalse();
      assertThat(card.path("inputUsdPerMillion").asDouble())
          .as(name)
          .isEqualTo(ModelCatalogue.builtIn().get(name).inputUsdPerMillion());
    }
  }

  @Test
  void aRunIsReadFromItsSummaryAndItsResults() throws IOException {
    JsonNode summary =
        JSON.readTree(
            """
            {"documents": 2, "costPerDocumentUsd": 0.002,
             "plan": {"plan": {"operators": [
                 {"logical": "classify", "physical": {"technique": "few-shot", "model": "gpt-5", "k": 4}},
                 {"logical": "project", "physical": {"technique": "relational"}}],
               "quality": 0.9, "cost": 0.004, "latency": 3},
               "promise": {"quality": {"mean": 0.8}, "cost": {"mean": 0.0021}}},
             "scores": [{"operator": "classify", "value": 0.7}, {"operator": "whole plan", "value": 0.75}]}
            """);
    PriceRow.Measured run =
        PriceRow.Measured.of(
            summary,
            List.of(
                JSON.readTree("{\"abacus\": {\"latencyMs\": 1000}}"),
                JSON.readTree("{\"abacus\": {\"latencyMs\": 3000}}")));

    assertThat(run)
        .isEqualTo(
            new PriceRow.Measured(
                "classify: few-shot gpt-5 4", 0.8, 0.75, 0.0021, 0.002, 3, 2.0, 2));
    PriceRow row =
        PriceRow.of(
            PricedProgram.TERMS,
            Lever.FIELD_ORDER,
            new PriceRow.Measured("", 0.8, null, 0.004, 0.004, 3, 4.0, 2),
            run);
    assertThat(row.lever()).isEqualTo("field order");
    assertThat(row.costRatio()).isEqualTo(0.5);
    assertThat(row.latencyRatio()).isEqualTo(0.5);
  }
}
