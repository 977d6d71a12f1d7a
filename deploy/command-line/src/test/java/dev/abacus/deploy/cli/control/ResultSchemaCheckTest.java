package dev.abacus.deploy.cli.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.schemas.avro.Compatibility;
import dev.abacus.schemas.avro.MockSchemaRegistry;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.result.ResultSchema;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What {@code apply} says about the schema of Avro results. */
class ResultSchemaCheckTest {

  private static final Schema MAIL =
      SchemaBuilder.record("Mail").fields().requiredString("id").requiredString("text").endRecord();

  private final MockSchemaRegistry registry;
  private final Map<String, String> settings;

  ResultSchemaCheckTest(TestInfo test) {
    String scope = "result-schema-check-" + test.getDisplayName();
    registry = MockSchemaRegistry.ofScope(scope);
    settings = Map.of("schema.registry.url", "mock://" + scope);
  }

  private static Program program(String fields) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            """
            program: mails
            sources: { mails: { topic: mail.in, format: avro } }
            operators:
              - map: sort
                instruction: Which team?
                reads: [text]
                writes: { %s }
              - project: [id, team%s]
            results: { topic: mail.sorted, format: avro }
            """
                .formatted(fields, fields.contains("urgency") ? ", urgency" : ""));
  }

  private static final String TEAM = "team: string";
  private static final String URGENCY = "team: string, urgency: integer";

  /** As if workers had written results of the program. */
  private void applied(Program program) {
    registry.register("mail.in-value", MAIL);
    registry.register("mail.sorted-value", ResultSchema.of(program, Map.of("mails", MAIL)));
  }

  @Test
  void theCompatibilityIsNamed() throws Exception {
    applied(program(TEAM));

    assertThat(ResultSchemaCheck.of(program(TEAM), settings).lines())
        .containsExactly(
            "results: the schema is compatible with the subject mail.sorted-value (BACKWARD)");
  }

  @Test
  void aRequiredFieldThatEarlierResultsLackIsRefused() throws Exception {
    applied(program(TEAM));

    assertThatThrownBy(() -> ResultSchemaCheck.of(program(URGENCY), settings))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> {
              assertThat(failure.exitCode()).isEqualTo(2);
              assertThat(failure.remedy()).contains("nullable");
            })
        .hasMessageContainingAll("mail.sorted-value", "BACKWARD", "urgency")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aNullableFieldMayBeAdded() throws Exception {
    applied(program(TEAM));

    ResultSchemaCheck check =
        ResultSchemaCheck.of(
            program("team: string, urgency: { type: integer, nullable: true }"), settings);

    assertThat(check.data()).containsEntry("checked", true);
  }

  @Test
  void theRuleOfTheRegistryCounts() throws Exception {
    applied(program(TEAM));
    registry.setCompatibility(Compatibility.NONE);

    assertThat(ResultSchemaCheck.of(program(URGENCY), settings).lines().getFirst())
        .contains("NONE");
  }

  @Test
  void whatCannotBeCheckedIsSaid() throws Exception {
    assertThat(ResultSchemaCheck.of(program(TEAM), settings).lines().getFirst())
        .contains("not checked", "mail.in-value");
    assertThat(ResultSchemaCheck.of(program(TEAM), Map.of()).lines().getFirst())
        .contains("not checked", "schema.registry.url");
  }
}
