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
import dev.abacus.topology.operator.FieldCheck;
import dev.abacus.topology.operator.FieldLines;
import dev.abacus.topology.operator.FieldSchema;
import dev.abacus.topology.operator.PromptTemplate;
import dev.abacus.topology.operator.Question;
import dev.abacus.topology.operator.Reading;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Asks how well an output does what its operator was asked for. */
record JudgeQuestion(String system) implements Question<Double> {

  private static final PromptTemplate MAP =
      PromptTemplate.beside(JudgeQuestion.class, "judge-map.txt");
  private static final PromptTemplate FILTER =
      PromptTemplate.beside(JudgeQuestion.class, "judge-filter.txt");
  private static final PromptTemplate JOIN =
      PromptTemplate.beside(JudgeQuestion.class, "judge-join.txt");
  private static final PromptTemplate TOP_K =
      PromptTemplate.beside(JudgeQuestion.class, "judge-topk.txt");
  private static final String SCORE = "score";
  private static final List<Field> JUDGEMENT =
      List.of(new Field(SCORE, new FieldType.NumberType(0.0, 1.0), "0 is worst, 1 is best", false));

  static JudgeQuestion of(SemanticMap map) {
    return new JudgeQuestion(
        MAP.fill(Map.of("instruction", map.instruction(), "fields", FieldLines.of(map.writes()))));
  }

  static JudgeQuestion of(Aggregate aggregate) {
    String instruction = Objects.requireNonNull(aggregate.instruction());
    return new JudgeQuestion(
        MAP.fill(Map.of("instruction", instruction, "fields", FieldLines.of(aggregate.writes()))));
  }

  /** Whether a pair belongs together is a decision, as a filter's is. */
  static JudgeQuestion of(StreamJoin join) {
    String condition = Objects.requireNonNull(join.condition());
    return new JudgeQuestion(FILTER.fill(Map.of("condition", condition)));
  }

  static JudgeQuestion of(SemanticFilter filter) {
    return new JudgeQuestion(FILTER.fill(Map.of("condition", filter.condition())));
  }

  static JudgeQuestion of(ReferenceJoin join) {
    return new JudgeQuestion(JOIN.fill(Map.of("condition", join.condition())));
  }

  static JudgeQuestion of(TopK topK) {
    return new JudgeQuestion(TOP_K.fill(Map.of("query", String.join(", ", topK.query()))));
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("judgement", FieldSchema.of(JUDGEMENT));
  }

  @Override
  public Reading<Double> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode judgement = check.object(JUDGEMENT, answer);
    return check.problems().isEmpty()
        ? new Reading.Understood<>(judgement.path(SCORE).doubleValue())
        : new Reading.NotUnderstood<>(check.problems());
  }
}
