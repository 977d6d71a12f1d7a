package dev.abacus.topology.operator;

import dev.abacus.topology.model.Content;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model is told.
 *
 * @param system the same for all documents of an operator
 * @param user the document
 */
public record Prompt(String system, List<Content> user) {

  private static final PromptTemplate REPAIR = PromptTemplate.beside(Prompt.class, "repair.txt");

  public Prompt {
    user = List.copyOf(user);
  }

  /** This prompt with a note on what was wrong with the last answer. */
  Prompt repaired(List<String> problems) {
    String note = REPAIR.fill(java.util.Map.of("problems", String.join("\n", problems)));
    List<Content> more = new ArrayList<>(user);
    more.add(new Content.Text(note));
    return new Prompt(system, more);
  }
}
