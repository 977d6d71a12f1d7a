package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.Compatibility;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.avro.TopicSchemas;
import dev.abacus.schemas.avro.TopicSchemas.Verdict;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.result.ResultSchema;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * Whether the schema registry accepts the schema of Avro results, asked before a model is paid.
 *
 * @param lines for the terminal
 * @param data for JSON; empty if the results are not in Avro
 */
record ResultSchemaCheck(List<String> lines, Map<String, Object> data) {

  /**
   * Asks the registry.
   *
   * @throws CommandFailure if it refuses the schema or cannot be reached
   */
  static ResultSchemaCheck of(Program program, Map<String, String> settings) {
    if (program.results().format() != Format.AVRO) {
      return new ResultSchemaCheck(List.of(), Map.of());
    }
    try (AvroValues avro = AvroValues.connect(settings)) {
      return avro == null
          ? unchecked("schema.registry.url is not set (--schema-registry URL)")
          : ask(program, avro.schemas());
    } catch (RegistryException e) {
      throw CommandFailure.failed(
          "the schema of the results cannot be checked: " + e.getMessage(),
          "Nothing was applied; apply again when the registry answers.",
          e);
    }
  }

  private static ResultSchemaCheck ask(Program program, TopicSchemas registry) {
    Map<String, Schema> sources = ResultSchema.ofSources(program, registry);
    for (Source source : program.sources()) {
      if (source.format() == Format.AVRO && !sources.containsKey(source.name())) {
        return unchecked(
            "the registry has no subject %s-value for the source '%s' yet"
                .formatted(source.topic(), source.name()));
      }
    }
    Verdict verdict = registry.check(program.results().topic(), ResultSchema.of(program, sources));
    if (verdict.violation() != null) {
      throw CommandFailure.invalid(
          "the schema registry refuses the schema of the results, because the subject %s has the compatibility %s: %s"
              .formatted(verdict.subject(), verdict.rule(), brief(verdict.violation())),
          "Make the new field nullable, name another results topic, or change the compatibility of the subject.");
    }
    String line =
        verdict.rule() == Compatibility.NONE
            ? "results: the subject %s has the compatibility NONE, so any schema is accepted"
                .formatted(verdict.subject())
            : "results: the schema is compatible with the subject %s (%s)"
                .formatted(verdict.subject(), verdict.rule());
    return new ResultSchemaCheck(
        List.of(line),
        Map.of(
            "checked", true, "subject", verdict.subject(), "compatibility", verdict.rule().name()));
  }

  private static ResultSchemaCheck unchecked(String reason) {
    return new ResultSchemaCheck(
        List.of("results: the schema is not checked, because " + reason),
        Map.of("checked", false, "reason", reason));
  }

  private static String brief(String violation) {
    String line = violation.replaceAll("\\s+", " ").strip();
    return line.length() <= 600 ? line : line.substring(0, 600) + "…";
  }
}
