package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prompt of a map or a filter, for any document. Techniques work on this interface and do not
 * distinguish maps from filters.
 *
 * @param <A> the type of a parsed answer
 */
public sealed interface OperatorPrompt<A> permits MapPrompt, OneToManyMapPrompt, FilterPrompt {

  PromptTemplate EXAMPLES = PromptTemplate.of(OperatorPrompt.class, "examples.txt");

  /** The system message: prose, then the {@link #task}. */
  String system();

  /** The format of the answer. */
  AnswerFormat<A> format();

  /** The task in sections, without prose, for prompts about the task. */
  String task();

  /** The task in prose, to find the relevant parts of a document by similarity. */
  String topic();

  /** The prompt about a document. */
  default Prompt<A> about(Document shown) {
    return new Prompt<>(system(), DocumentMessage.of(shown), format());
  }

  /** The prompt about a part of a document, which need not contain an answer. */
  OperatorPrompt<A> ofPart();

  /** An answer as a model writes it. */
  ObjectNode json(A answer);

  /** A label of the operator as a model writes the answer; null if it has another form. */
  @Nullable ObjectNode ofLabel(JsonNode label);

  /**
   * The prompt about a document, with solved examples in the system message, which is equal for all
   * documents. Leaves out examples with images, and those whose label is not a valid answer.
   */
  default Prompt<A> about(Document shown, List<SolvedExample> examples) {
    return withExamples(about(shown), valid(examples));
  }

  /**
   * The prompt about a document, with solved examples of its own in the user message. Leaves out
   * the same examples as {@link #about(Document, List)}.
   */
  default Prompt<A> aboutWithOwnExamples(Document shown, List<SolvedExample> examples) {
    List<Example> valid = valid(examples);
    Prompt<A> prompt = about(shown);
    if (valid.isEmpty()) {
      return prompt;
    }
    List<Content> user = new ArrayList<>();
    user.add(new Content.Text(text(valid)));
    user.addAll(prompt.user());
    return new Prompt<>(
        prompt.system(), Prompt.joinTexts(user), prompt.format(), prompt.reasoning());
  }

  private List<Example> valid(List<SolvedExample> examples) {
    List<Example> valid = new ArrayList<>();
    for (SolvedExample example : examples) {
      ObjectNode answer = ofLabel(example.label());
      String document = DocumentMessage.text(example.input());
      if (answer != null
          && document != null
          && format().parse(answer.toString()) instanceof AnswerFormat.Parsed.Valid<A>(A read)) {
        valid.add(new Example(document, json(read).toString()));
      }
    }
    return valid;
  }

  /**
   * A solved example as a prompt shows it.
   *
   * @param document one or two documents in their sections
   * @param answer as a model writes it
   */
  record Example(String document, String answer) {}

  /** Adds solved examples to the system message of a prompt; none changes nothing. */
  static <A> Prompt<A> withExamples(Prompt<A> prompt, List<Example> examples) {
    if (examples.isEmpty()) {
      return prompt;
    }
    return new Prompt<>(
        prompt.system() + "\n\n" + text(examples),
        prompt.user(),
        prompt.format(),
        prompt.reasoning());
  }

  private static String text(List<Example> examples) {
    StringBuilder text = new StringBuilder(EXAMPLES.text());
    int number = 0;
    for (Example example : examples) {
      text.append('\n')
          .append(PromptMarkup.example(++number, example.document(), example.answer()));
    }
    return text.toString();
  }

  /** Combines the first answer with the answer of a second call. Lists keep all items of both. */
  A combine(A first, A second);

  /** The outcome of the operator on a document. */
  OperatorOutcome outcome(Document document, A answer, ExecutionStats stats);

  /**
   * The operator's output as JSON: the fields that a map wrote (for a one-to-many map, the list of
   * values of each field), or the decision of a filter; null if the operator cannot have this
   * outcome.
   */
  @Nullable JsonNode output(OperatorOutcome outcome);

  /** The prompt of an operator; null if the operator is neither a map nor a filter. */
  static @Nullable OperatorPrompt<?> of(LogicalOperator operator) {
    return switch (operator) {
      case SemanticMap map when map.cardinality() == Cardinality.MANY ->
          new OneToManyMapPrompt(map);
      case SemanticMap map -> new MapPrompt(map);
      case SemanticFilter filter -> new FilterPrompt(filter);
      case Project _,
          TopK _,
          SemanticRank _,
          EntityResolution _,
          ReferenceJoin _,
          StreamJoin _,
          Merge _,
          Aggregate _,
          Limit _ ->
          null;
    };
  }

  /** The fields of a document that the model of an operator sees. */
  static Document input(LogicalOperator operator, Document document) {
    List<String> shown = operator.seenByModel();
    return shown.isEmpty() ? document : document.only(shown);
  }
}
