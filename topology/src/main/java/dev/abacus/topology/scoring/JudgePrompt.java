package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.FieldDescriptions;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.List;
import java.util.Map;

/** Asks how well an output fulfils the task of its operator. */
record JudgePrompt(String system) {

  private static final PromptTemplate MAP = PromptTemplate.of(JudgePrompt.class, "judge-map.txt");
  private static final PromptTemplate FILTER =
      PromptTemplate.of(JudgePrompt.class, "judge-filter.txt");
  private static final PromptTemplate TOP_K =
      PromptTemplate.of(JudgePrompt.class, "judge-topk.txt");
  private static final PromptTemplate RANK = PromptTemplate.of(JudgePrompt.class, "judge-rank.txt");
  private static final PromptTemplate RESOLVE =
      PromptTemplate.of(JudgePrompt.class, "judge-resolve.txt");
  private static final AnswerFormat<Double> FORMAT =
      AnswerFormat.of(
          "judgement",
          "score",
          new FieldType.NumberType(0.0, 1.0),
          "0 is worst, 1 is best",
          JsonNode::doubleValue);

  /** Grades some of the fields that a map or a semantic aggregate writes. */
  static JudgePrompt ofFields(String instruction, List<Field> fields) {
    return new JudgePrompt(
        MAP.fill(Map.of("instruction", instruction, "fields", FieldDescriptions.of(fields))));
  }

  /** Grades the decision about a document, or about a pair of two streams. */
  static JudgePrompt ofCondition(String condition) {
    return new JudgePrompt(FILTER.fill(Map.of("condition", condition)));
  }

  static JudgePrompt of(TopK topK) {
    return new JudgePrompt(TOP_K.fill(Map.of("query", String.join(", ", topK.query()))));
  }

  static JudgePrompt of(SemanticRank rank) {
    return new JudgePrompt(RANK.fill(Map.of("criterion", rank.criterion(), "items", rank.items())));
  }

  static JudgePrompt of(EntityResolution resolution) {
    return new JudgePrompt(RESOLVE.fill(Map.of("condition", resolution.condition())));
  }

  /** This prompt with graded examples; none changes nothing. */
  JudgePrompt showing(String examples) {
    return examples.isEmpty() ? this : new JudgePrompt(system + "\n\n" + examples);
  }

  /** The prompt about the output of an operator for an input. */
  Prompt<Double> about(Document input, JsonNode output) {
    return new Prompt<>(system, DocumentMessage.of(input, output), FORMAT);
  }
}
