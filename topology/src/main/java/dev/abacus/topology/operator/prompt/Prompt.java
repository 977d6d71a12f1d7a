package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The two messages that a model gets, and the format of its answer.
 *
 * <p>Endpoints cache the beginning of a prompt. The order is therefore from the part that changes
 * least to the part that changes most: the system message, equal for all documents of an operator;
 * the document, equal for all calls of a technique about it; the sections of one call; last the
 * step, the task to do with these sections. Calls whose answer has the operator's own format
 * (proposals, aggregation, refinement) share the system message too. Calls with another format
 * (critique, check, compression) have a system message of their own: endpoints put the response
 * schema first, so the cache has no hit behind another schema.
 *
 * @param system the system message, equal for all documents of an operator
 * @param user the user message: the document, then the sections of this call
 * @param format the format of the answer
 * @param reasoning how the model reasons before it answers; null as its card says
 * @param <A> the type of a parsed answer
 */
public record Prompt<A>(
    String system, List<Content> user, AnswerFormat<A> format, @Nullable Reasoning reasoning) {

  private static final PromptTemplate REPAIR = PromptTemplate.of(Prompt.class, "repair.txt");
  private static final PromptTemplate STEPS = PromptTemplate.of(Prompt.class, "steps.txt");

  public Prompt {
    user = List.copyOf(user);
  }

  /** A prompt without a setting of the reasoning. */
  public Prompt(String system, List<Content> user, AnswerFormat<A> format) {
    this(system, user, format, null);
  }

  /** The request to a model at temperature 0. */
  public ModelRequest request(String model) {
    ModelRequest request = ModelRequest.of(model, system, user, format.schema());
    return reasoning == null || reasoning == Reasoning.STEPS
        ? request
        : request.withReasoningEffort(reasoning.label());
  }

  /**
   * This prompt for a model that reasons before it answers. With {@link Reasoning#STEPS} the answer
   * begins with a text, which the parsed answer does not contain.
   */
  public Prompt<A> reasoning(@Nullable Reasoning how) {
    if (how != Reasoning.STEPS) {
      return new Prompt<>(system, user, format, how);
    }
    AnswerFormat<A> steps = format.withReasoning();
    return new Prompt<>(
        system + "\n\n" + STEPS.fill(Map.of("field", steps.schemaFields().getFirst().name())),
        user,
        steps,
        how);
  }

  /** Adds a section. */
  public Prompt<A> section(String tag, String text) {
    return append(PromptMarkup.section(tag, text));
  }

  /** Adds a section for each answer, numbered from 1. */
  public Prompt<A> sections(String tag, List<? extends JsonNode> answers) {
    Prompt<A> prompt = this;
    for (int i = 0; i < answers.size(); i++) {
      prompt = prompt.append(PromptMarkup.numbered(tag, i + 1, answers.get(i).toString()));
    }
    return prompt;
  }

  /** Adds what was wrong with the last answer. */
  Prompt<A> repair(List<String> problems) {
    return append(REPAIR.fill(Map.of("problems", String.join("\n", problems))));
  }

  /** Adds text. */
  public Prompt<A> append(String text) {
    List<Content> parts = new ArrayList<>(user);
    parts.add(new Content.Text(text));
    return new Prompt<>(system, joinTexts(parts), format, reasoning);
  }

  /** Joins adjacent texts with line breaks, because some endpoints accept a single text only. */
  public static List<Content> joinTexts(List<Content> parts) {
    List<Content> joined = new ArrayList<>();
    for (Content part : parts) {
      if (part instanceof Content.Text(String text)
          && !joined.isEmpty()
          && joined.getLast() instanceof Content.Text(String before)) {
        joined.set(joined.size() - 1, new Content.Text(before + "\n" + text));
      } else {
        joined.add(part);
      }
    }
    return joined;
  }
}
