package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.prompt.FieldCheck;
import dev.abacus.topology.operator.prompt.FieldLines;
import dev.abacus.topology.operator.prompt.FieldSchema;
import dev.abacus.topology.operator.prompt.ParsedAnswer;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Asks how well an output does what its operator was asked for. */
record JudgePrompt(String system) implements Prompt<Double> {

  private static final PromptTemplate MAP =
      PromptTemplate.beside(JudgePrompt.class, "judge-map.txt");
  private static final PromptTemplate FILTER =
      PromptTemplate.beside(JudgePrompt.class, "judge-filter.txt");
  private static final PromptTemplate JOIN =
      PromptTemplate.beside(JudgePrompt.class, "judge-join.txt");
  private static final PromptTemplate TOP_K =
      PromptTemplate.beside(JudgePrompt.class, "judge-topk.txt");
  private static final String SCORE = "score";
  private static final List<Field> JUDGEMENT =
      List.of(new Field(SCORE, new FieldType.NumberType(0.0, 1.0), "0 is worst, 1 is best", false));

  static JudgePrompt of(SemanticMap map) {
    return new JudgePrompt(
        MAP.fill(Map.of("instruction", map.instruction(), "fields", FieldLines.of(map.writes()))));
  }

  static JudgePrompt of(Aggregate aggregate) {
    String instruction = Objects.requireNonNull(aggregate.instruction());
    return new JudgePrompt(
        MAP.fill(Map.of("instruction", instruction, "fields", FieldLines.of(aggregate.writes()))));
  }

  /** Whether a pair belongs together is a decision, as a filter's is. */
  static JudgePrompt of(StreamJoin join) {
    String condition = Objects.requireNonNull(join.condition());
    return new JudgePrompt(FILTER.fill(Map.of("condition", condition)));
  }

  static JudgePrompt of(SemanticFilter filter) {
    return new JudgePrompt(FILTER.fill(Map.of("condition", filter.condition())));
  }

  static JudgePrompt of(ReferenceJoin join) {
    return new JudgePrompt(JOIN.fill(Map.of("condition", join.condition())));
  }

  static JudgePrompt of(TopK topK) {
    return new JudgePrompt(TOP_K.fill(Map.of("query", String.join(", ", topK.query()))));
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("judgement", FieldSchema.of(JUDGEMENT));
  }

  @Override
  public ParsedAnswer<Double> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode judgement = check.object(JUDGEMENT, answer);
    return check.problems().isEmpty()
        ? new ParsedAnswer.Understood<>(judgement.path(SCORE).doubleValue())
        : new ParsedAnswer.NotUnderstood<>(check.problems());
  }
}
