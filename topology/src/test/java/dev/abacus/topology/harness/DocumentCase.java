package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A technique for operators on single documents: maps that copy the document's marker, one-to-many
 * maps that copy it twice, filters that keep documents with a marker that contains "yes", projects.
 */
final class DocumentCase extends TechniqueCase {

  private static final List<String> TEXT = List.of("text");
  private static final Field ECHO =
      new Field("echo", new FieldType.StringType(List.of()), "the marker", false);
  static final LogicalOperator MAP =
      new SemanticMap("copy", "in", "Copy the marker.", TEXT, List.of(ECHO));
  static final LogicalOperator MANY =
      new SemanticMap("twice", "in", "Copy it twice.", TEXT, List.of(ECHO), Cardinality.MANY);
  static final LogicalOperator FILTER =
      new SemanticFilter("yes", "in", List.of("It says yes.", "It really does."), TEXT);
  static final LogicalOperator PROJECT = new Project("narrow", "in", TEXT);

  /**
   * A case.
   *
   * @param technique builds the technique; its model names begin with the given prefix
   */
  DocumentCase(Function<String, PhysicalOperator> technique, LogicalOperator... operators) {
    super(technique, operators);
  }

  @Override
  OperatorRuntime runtime() {
    return new OperatorRuntime(Embedders.of(new MarkerEmbedder("e")), Duration.ofMillis(5));
  }

  @Override
  void assertRight(LogicalOperator operator, String marker, OperatorOutcome outcome) {
    if (operator.equals(FILTER) && !marker.contains("yes")) {
      assertThat(outcome).isInstanceOf(OperatorOutcome.Dropped.class);
      return;
    }
    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    List<Document> documents = ((OperatorOutcome.Kept) outcome).documents();
    List<String> echoes = documents.stream().map(one -> one.get("echo").asText()).toList();
    if (operator.equals(MANY)) {
      assertThat(echoes).containsExactly(marker, marker + "'");
    } else {
      assertThat(documents).hasSize(1);
      assertThat(echoes).containsExactly(operator.equals(MAP) ? marker : "");
    }
    assertThat(documents).allMatch(one -> one.get("text").asText().startsWith("#" + marker + "# "));
  }
}
