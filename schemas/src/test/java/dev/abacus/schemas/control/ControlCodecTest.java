package dev.abacus.schemas.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord.Activated;
import dev.abacus.schemas.control.ControlRecord.BudgetSet;
import dev.abacus.schemas.control.ControlRecord.ObjectiveSet;
import dev.abacus.schemas.control.ControlRecord.Paused;
import dev.abacus.schemas.control.ControlRecord.Pinned;
import dev.abacus.schemas.control.ControlRecord.PlanPublished;
import dev.abacus.schemas.control.ControlRecord.ProgramSet;
import dev.abacus.schemas.control.ControlRecord.Reoptimize;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ControlCodecTest {

  private final ControlCodec codec =
      new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);

  @ParameterizedTest
  @MethodSource("records")
  void aRecordIsReadAsItWasWritten(ControlRecord written) throws Exception {
    ControlKey key = ControlKey.parse(written.key().path());

    assertThat(codec.decode(key, ControlCodec.encode(written))).isEqualTo(written);
  }

  @ParameterizedTest
  @MethodSource("records")
  void aRecordIsReadAsItWasWrittenInAvro(ControlRecord written) throws Exception {
    String scope = "mock://" + getClass().getName();
    try (AvroValues avro =
        Objects.requireNonNull(AvroValues.connect(Map.of("schema.registry.url", scope)))) {

      JsonNode json = new ObjectMapper().readTree(ControlCodec.encode(written));
      byte[] value =
          avro.toAvro("control-" + written.key().path(), json, ControlSchemas.of(written.key()));

      ControlCodec reading = new ControlCodec(ModelCatalogue.builtIn(), new RecordValues(avro));

      assertThat(value[0]).isZero();
      assertThat(reading.decode(written.key(), value)).isEqualTo(written);
    }
  }

  static Stream<ControlRecord> records() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs } }
                operators:
                  - map: fill
                    instruction: Fill in.
                    writes:
                      z: { type: integer, minimum: 1 }
                      a: { type: list, items: { type: object, properties: { x: number } } }
                      m: { type: string, enum: [u, v], nullable: true, description: a choice }
                  - project: [z, a]
                  - filter: good
                    reads: [z]
                    condition: It is "good" – ja, 好き 😀.
                results: { topic: out }
                """);
    PlanStep step = new PlanStep(program.operators().getLast(), new ModelSelection("gpt-4o"));
    PlanStep other =
        new PlanStep(
            program.operators().getLast(),
            new ReducedContext("gpt-4o", "all-minilm-l6-v2", 1000, 2));
    PlanChoice choice = new PlanChoice(List.of(step), new Estimate(0.9, 0.01, 1.5));
    PlanChoice cheaper = new PlanChoice(List.of(other), new Estimate(0.8, 0.001, 1));
    return Stream.of(
        new ProgramSet(program),
        new ObjectiveSet("p", ObjectiveParser.parse("minimize cost subject to quality >= 0.8")),
        new BudgetSet(
            "p", new SampleBudget.Dollars(1.5), new Spending(40.0, null, Duration.ofHours(12))),
        new BudgetSet("p", new SampleBudget.Invocations(7), null),
        new BudgetSet("p", null, new Spending(40.0, null, Duration.ofDays(1))),
        new BudgetSet(
            "p", new SampleBudget.Tokens(9_000), new Spending(null, 5_000L, Duration.ofDays(1))),
        new BudgetSet("p", null, new Spending(2.5, 5_000L, Duration.ofDays(1))),
        new Pinned("p", "good", new ReducedContext("gpt-4o", "all-minilm-l6-v2", 1000, 2)),
        new Paused("p", true),
        new Reoptimize("p", "2026-01-01"),
        new PlanPublished(
            new PhysicalPlan("p", 3, choice, program.objective(), List.of(choice, cheaper))),
        new Activated("p", 3, 0.25, "because", "optimizer"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          objective/p     | "maximise speed"            | 'speed' is not a dimension
          objective/p     | {"maximize":"quality","subjectto":{}} | did you mean 'subjectTo'?
          objective/p     | {"maximize":                | not well-formed
          paused/p        | "yes"                       | expected true or false
          budget/p        | {"samples":-1}              | it must be above 0
          budget/p        | {"tokens":0}                | budget of 0 tokens; it must be above 0
          budget/p        | {"tokens":1.5}              | expected a whole number of at most 18 digits, found 1.5
          budget/p        | {"usd":1,"tokens":5}        | write one of 'samples', 'usd' and 'tokens'
          budget/p        | {"spending":{"per":"day"}}  | needs 'usd', 'tokens' or both
          budget/p        | {"spending":{"tokens":-4,"per":"day"}} | spending of -4 tokens; it must be above 0
          budget/p        | {"spending":{"tokens":"x","per":"day"}} | expected a number
          pin/p/good      | {"technique":"magic"}       | magic
          active/p        | {"share":0.5}               | 'epoch' is missing
          active/p        | {"epoch":1,"share":0}       | share 0.0 is not in (0, 1]
          plan/p/2        | {"program":"p"}             | 'logical' is missing
          program/p       | {"program":"q"}             | `'sources' is missing`
          """)
  void aBadRecordIsRefusedWithTheReason(String key, String value, String reason) {
    assertThatThrownBy(
            () -> codec.decode(ControlKey.parse(key), value.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(InvalidControlException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void aTombstoneIsNull() throws Exception {
    assertThat(codec.decode(ControlKey.parse("paused/p"), null)).isNull();
  }

  @Test
  void avroWithoutARegistryIsRefused() {
    assertThatThrownBy(() -> codec.decode(ControlKey.parse("paused/p"), new byte[] {0, 0, 0, 0, 1}))
        .isInstanceOf(InvalidControlException.class)
        .hasMessageContaining("no schema registry is configured");
  }

  @ParameterizedTest
  @CsvSource({"programs/p", "program", "program/", "plan/p", "plan/p/x", "plan/p/0", "pin/p", "''"})
  void anUnknownKeyIsRefused(String path) {
    assertThatThrownBy(() -> ControlKey.parse(path)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Commands print it; its record has the program in the key alone. */
  @Test
  void anActivationOutsideOfItsRecordNamesItsProgram() {
    Activated activated = new Activated("p", 3, 1, "because", "user");
    assertThat(Json.tree(activated).path("program").asText()).isEqualTo("p");
    assertThat(new String(ControlCodec.encode(activated), StandardCharsets.UTF_8))
        .doesNotContain("program");
  }
}
