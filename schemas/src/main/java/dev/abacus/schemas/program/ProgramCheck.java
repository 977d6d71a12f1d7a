package dev.abacus.schemas.program;

import dev.abacus.schemas.text.Nearest;
import dev.abacus.schemas.text.StrictNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks what only a whole program shows: that what operators read is there. */
final class ProgramCheck {

  private ProgramCheck() {}

  static void check(Program program, StrictNode root) {
    List<StrictNode> nodes = Objects.requireNonNull(root.optional("operators")).items();
    // The fields of a source are open; they are known only once a project has named them.
    List<String> known = null;
    for (int i = 0; i < program.operators().size(); i++) {
      LogicalOperator operator = program.operators().get(i);
      checkReads(nodes.get(i), operator, known);
      known = fieldsAfter(operator, known);
    }
    if (program.results().format() == Format.AVRO) {
      checkAvroResults(program, known, Objects.requireNonNull(root.optional("results")));
    }
    if (program.operators().isEmpty()) {
      root.note("'operators' names no operator");
    }
  }

  private static void checkReads(
      StrictNode node, LogicalOperator operator, @Nullable List<String> known) {
    if (known == null) {
      return;
    }
    for (String field : operator.reads()) {
      if (!known.contains(field)) {
        node.note(Nearest.unknown("field", field, known));
      }
    }
  }

  /** An Avro schema needs to know all fields, and takes only names of a certain form. */
  private static void checkAvroResults(
      Program program, @Nullable List<String> fields, StrictNode results) {
    if (fields == null) {
      results.note(
          "results in Avro need a 'project' that names their fields; add one or write format: json");
      return;
    }
    for (String field : fields) {
      if (!field.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        results.note(
            "the field '%s' of %s cannot be named in Avro; write format: json"
                .formatted(field, program.name()));
      }
    }
  }

  private static @Nullable List<String> fieldsAfter(
      LogicalOperator operator, @Nullable List<String> before) {
    if (operator instanceof Project project) {
      return project.fields();
    }
    if (before == null) {
      return null;
    }
    List<String> after = new ArrayList<>(before);
    after.addAll(operator.writtenFields());
    return after;
  }
}
