package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a model is told.
 *
 * <p>Endpoints cache the beginning of a prompt. So the order is from what changes least to what
 * changes most: the system message, the same for all documents of an operator; the document, the
 * same for all calls that a technique makes about it; then the sections of one call, and last what
 * is to be done with them. Calls whose answer has the operator's own form (proposals, aggregation,
 * refinement) share the system message too; those of another form (critique, check, compression)
 * have one of their own, since endpoints put the response schema first, so nothing after it would
 * be found in the cache.
 *
 * @param system the same for all documents of an operator
 * @param user the document, then the sections of this call
 */
public record PromptMessages(String system, List<Content> user) {

  private static final PromptTemplate REPAIR =
      PromptTemplate.beside(PromptMessages.class, "repair.txt");

  public PromptMessages {
    user = List.copyOf(user);
  }

  /** The question, asked of what is shown of a document. */
  public static PromptMessages of(Prompt<?> question, Document shown) {
    return new PromptMessages(question.system(), DocumentMessage.of(shown));
  }

  /** The same about another question. */
  public PromptMessages asking(Prompt<?> question) {
    return new PromptMessages(question.system(), user);
  }

  /** This prompt and a section. */
  public PromptMessages with(String tag, String text) {
    return and(PromptMarkup.section(tag, text));
  }

  /** This prompt and a section for each answer, numbered from 1. */
  public PromptMessages withEach(String tag, List<? extends JsonNode> answers) {
    PromptMessages prompt = this;
    for (int i = 0; i < answers.size(); i++) {
      prompt = prompt.and(PromptMarkup.numbered(tag, "n", i + 1, answers.get(i).toString()));
    }
    return prompt;
  }

  /** This prompt and what is to be done with its sections. */
  public PromptMessages step(PromptTemplate step) {
    return and(step.text());
  }

  /** This prompt with a note on what was wrong with the last answer. */
  PromptMessages repaired(List<String> problems) {
    return and(REPAIR.fill(Map.of("problems", String.join("\n", problems))));
  }

  /** Words after words are one part: not all endpoints take several. */
  public PromptMessages and(String words) {
    List<Content> parts = new ArrayList<>(user);
    if (!parts.isEmpty() && parts.getLast() instanceof Content.Text(String before)) {
      parts.set(parts.size() - 1, new Content.Text(before + "\n" + words));
    } else {
      parts.add(new Content.Text(words));
    }
    return new PromptMessages(system, parts);
  }
}
