package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.wholeplan.OperatorDependence;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperatorDependenceTest {

  private static OperatorDependence of(LogicalOperator... operators) {
    return OperatorDependence.of(TestPrograms.of("maximize quality", null, operators));
  }

  private static SemanticMap map(String id, String input, List<String> reads, String field) {
    return new SemanticMap(
        id,
        input,
        "Fill in " + field + ".",
        reads,
        List.of(new Field(field, new FieldType.StringType(List.of()), "", false)));
  }

  @Test
  void operatorsThatReadOnlyTheSourceAreIndependent() {
    OperatorDependence dependence =
        of(TestPrograms.map("a", "messages", "x"), TestPrograms.map("b", "a", "y"));

    assertThat(dependence.exists()).isFalse();
  }

  @Test
  void anOperatorWhoseOutputAnotherReadsIsAWriter() {
    OperatorDependence dependence =
        of(
            map("a", "messages", List.of("text"), "x"),
            new Project("p", "a", List.of("x")),
            map("b", "p", List.of("x"), "y"));

    assertThat(dependence.writers()).containsExactly("a");
    assertThat(dependence.walkable()).containsExactly("a", "p", "b");
    assertThat(dependence.source()).isEqualTo("messages");
  }

  @Test
  void anOperatorThatReadsEverythingDependsOnAllWritersBeforeIt() {
    OperatorDependence dependence =
        of(
            map("a", "messages", List.of("text"), "x"),
            map("b", "a", List.of("text"), "y"),
            map("c", "b", List.of(), "z"));

    assertThat(dependence.writers()).containsExactly("a", "b");
  }
}
