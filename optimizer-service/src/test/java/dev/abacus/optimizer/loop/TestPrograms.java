package dev.abacus.optimizer.loop;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Results;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.Settings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Programs and examples to search plans for. */
final class TestPrograms {

  static final String NAME = "triage";

  private TestPrograms() {}

  /** Filter, map, map and a projection. */
  static Program triage(String objective, @Nullable SampleBudget budget) {
    return of(
        objective,
        budget,
        filter("is-problem", "messages"),
        map("classify", "is-problem", "intent"),
        map("answer", "classify", "reply"),
        new Project("slim", "answer", List.of("intent", "reply")));
  }

  /** One map. */
  static Program classifying(SampleBudget budget) {
    return of("maximize quality", budget, map("classify", "messages", "intent"));
  }

  static Program of(String objective, @Nullable SampleBudget budget, LogicalOperator... operators) {
    return new Program(
        NAME,
        List.of(new Source("messages", "support.messages", Format.JSON, "id")),
        List.of(),
        List.of(operators),
        new Results("support.triaged", Format.JSON),
        Settings.defaults(NAME)
            .withObjective(ObjectiveParser.parse(objective))
            .withBudget(new Settings.Budget(budget, null, null)));
  }

  static SemanticFilter filter(String id, String input) {
    return new SemanticFilter(id, input, "The customer has a problem.", List.of("text"));
  }

  static SemanticMap map(String id, String input, String field) {
    return new SemanticMap(
        id,
        input,
        "Fill in " + field + ".",
        List.of("text"),
        List.of(new Field(field, new FieldType.StringType(List.of()), "", false)));
  }

  static ValidationExample example(int number) {
    return new ValidationExample(
        "e" + number,
        "messages",
        Document.empty()
            .with("text", JsonNodeFactory.instance.textNode("message number " + number)),
        Map.of("is-problem", BooleanNode.TRUE));
  }
}
