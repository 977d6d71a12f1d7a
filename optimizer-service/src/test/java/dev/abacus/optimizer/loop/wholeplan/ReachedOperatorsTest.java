package dev.abacus.optimizer.loop.wholeplan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReachedOperatorsTest {

  private static SemanticMap map(String id, String input, String field) {
    return new SemanticMap(
        id,
        input,
        "Fill in " + field + ".",
        List.of("text"),
        List.of(new Field(field, new FieldType.StringType(List.of()), "", false)));
  }

  private static Program program(List<Program.Source> sources, LogicalOperator... operators) {
    return new Program(
        "p",
        sources,
        List.of(),
        List.of(operators),
        new Program.Results("results", Program.Format.JSON),
        Settings.defaults("p").withObjective(ObjectiveParser.parse("maximize quality")));
  }

  private static Program.Source source(String name) {
    return new Program.Source(name, name, Program.Format.JSON, "id");
  }

  @Test
  void aDocumentReachesTheOperatorsThatProcessItAlone() {
    Program program =
        program(
            List.of(source("messages")),
            map("a", "messages", "x"),
            new Project("p", "a", List.of("text", "x")),
            map("b", "p", "y"));

    ReachedOperators reached = ReachedOperators.of(program);

    assertThat(reached.source()).isEqualTo("messages");
    assertThat(reached.ids()).containsExactly("a", "p", "b");
    assertThat(reached.semantic(program)).extracting(LogicalOperator::id).containsExactly("a", "b");
  }
}
