package dev.abacus.schemas.program.io;

import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.Stages;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that the fields that operators read exist, and that the program has valid stages. */
final class ProgramCheck {

  private ProgramCheck() {}

  static void check(Program program, YamlNode root) {
    if (program.operators().isEmpty()) {
      root.note("'operators' names no operator");
      return;
    }
    checkTopics(program, root);
    YamlNode operators = Objects.requireNonNull(root.optional("operators"));
    List<YamlNode> nodes = operators.items();
    Map<String, @Nullable List<String>> known = new HashMap<>();
    for (int i = 0; i < program.operators().size(); i++) {
      LogicalOperator operator = program.operators().get(i);
      List<String> before = fieldsBefore(operator, known);
      checkReads(nodes.get(i), operator, before);
      known.put(operator.id(), fieldsAfter(operator, before));
    }
    operators.build(() -> Stages.of(program));
    YamlNode learning = root.optional("learning");
    if (learning != null && program.shadow() > 0) {
      checkShadow(program, learning);
    }
    if (learning != null && program.review() > 0) {
      checkReview(program, learning);
    }
    if (program.results().format() == Format.AVRO) {
      checkAvroResults(
          program,
          known.get(program.operators().getLast().id()),
          Objects.requireNonNull(root.optional("results")));
    }
  }

  /** What concerns one program; {@code TopicCheck} looks at the topics of others. */
  private static void checkTopics(Program program, YamlNode root) {
    List<String> read =
        Stream.concat(
                program.sources().stream().map(Source::topic),
                program.references().stream().map(Reference::topic))
            .toList();
    String results = program.results().topic();
    if (program.sources().stream().map(Source::topic).anyMatch(results::equals)) {
      root.optional("results", node -> node.required("topic"), root)
          .note(
              "results go to the source topic '%s', so no document would ever be finished"
                  .formatted(results));
    }
    String feedback = program.validation().feedback();
    if (feedback != null && (read.contains(feedback) || results.equals(feedback))) {
      root.optional("validation", node -> node.required("feedback"), root)
          .note("the topic '%s' must have no other use".formatted(feedback));
    }
  }

  /** One more document would change the groups and pairs of others, and void their samples. */
  private static void checkShadow(Program program, YamlNode learning) {
    for (LogicalOperator operator : program.operators()) {
      if (!operator.isAboutOneDocument()) {
        learning.note(
            "'%s' is about several documents at once, so none can run beside the plan; leave out 'shadow'"
                .formatted(operator.id()));
      }
    }
  }

  /** Labels that are asked for come back as corrected results, which are about one document. */
  private static void checkReview(Program program, YamlNode learning) {
    if (program.validation().feedback() == null) {
      learning.note("'review' needs a topic for the answers: add validation: { feedback: TOPIC }");
    }
    for (LogicalOperator operator : program.operators()) {
      if (!operator.isAboutOneDocument() || operator.outputs().mayBeSeveral()) {
        learning.note(
            "'review' cannot ask about results of '%s', which are not one per document; leave it out"
                .formatted(operator.id()));
      }
    }
  }

  /** Null if unknown: the fields of a source are open until an operator lists all of them. */
  private static @Nullable List<String> fieldsBefore(
      LogicalOperator operator, Map<String, @Nullable List<String>> known) {
    List<String> left = known.get(operator.input());
    if (operator instanceof Merge merge) {
      List<String> right = known.get(merge.with());
      return left == null || right == null
          ? null
          : Stream.concat(left.stream(), right.stream()).distinct().toList();
    }
    return left;
  }

  private static void checkReads(
      YamlNode node, LogicalOperator operator, @Nullable List<String> known) {
    if (known == null) {
      return;
    }
    WhereExpression where =
        switch (operator) {
          case SemanticFilter filter -> filter.where();
          case ReferenceJoin join -> join.pairs().where();
          case LogicalOperator _ -> null;
        };
    YamlNode whereNode = node.optional("where");
    if (where != null && whereNode != null) {
      noteUnknown(whereNode, Objects.requireNonNullElse(where.fields(), List.of()), known);
    }
    YamlNode onNode = node.optional("on");
    if (operator instanceof ReferenceJoin join && onNode != null) {
      noteUnknown(onNode, join.pairs().documentFields(), known);
    }
    YamlNode itemsNode = node.optional("items");
    if (operator instanceof SemanticRank rank && itemsNode != null) {
      noteUnknown(itemsNode, List.of(rank.items()), known);
    }
    // The items of a rank are noted above.
    List<String> seen =
        operator instanceof SemanticRank rank ? rank.shown() : operator.seenByModel();
    noteUnknown(node, seen, known);
  }

  private static void noteUnknown(YamlNode node, List<String> fields, List<String> known) {
    for (String field : fields) {
      if (!known.contains(field)) {
        node.note(NameSuggestions.unknown("field", field, known));
      }
    }
  }

  /** An Avro schema requires that all fields are known and have valid Avro names. */
  private static void checkAvroResults(
      Program program, @Nullable List<String> fields, YamlNode results) {
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
    return switch (operator) {
      case Project project -> project.fields();
      case Aggregate aggregate -> aggregate.writtenFields();
      case LogicalOperator other when before == null -> null;
      case LogicalOperator other ->
          Stream.concat(before.stream(), other.writtenFields().stream()).distinct().toList();
    };
  }
}
