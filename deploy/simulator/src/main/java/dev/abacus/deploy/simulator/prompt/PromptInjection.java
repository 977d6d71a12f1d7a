package dev.abacus.deploy.simulator.prompt;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An instruction inside a document that tries to override the prompt.
 *
 * @param payload the answer that it demands
 * @param fenced whether it is inside the tags of the prompt
 */
public record PromptInjection(String payload, boolean fenced) {

  // "Disregard the rules of clause 4" is not an attack: an attack says which instructions.
  private static final Pattern OVERRIDE =
      Pattern.compile(
          "(?i)\\b(?:ignore|disregard|forget)\\b[^.!?\\n]{0,30}"
              + "\\b(?:all|any|your|my|previous|prior|above|earlier|preceding|system)\\b"
              + "[^.!?\\n]{0,30}\\b(?:instructions?|prompts?|rules|task)\\b");

  private static final Pattern PAYLOAD =
      Pattern.compile(
          "(?i)\\b(?:answer|respond|reply|output|say|return|print|write)\\b"
              + "(?:\\s+(?:only|just|with|instead|always))*\\s*:?\\s*[\"'“]?([^\"'”\\n.!]{1,80})");
  private static final int REACH = 300;

  /** The first injection in a prompt, or null. */
  public static @Nullable PromptInjection in(Prompt prompt) {
    @Nullable PromptInjection loose = in(prompt.outside(), false);
    return loose != null ? loose : in(prompt.document().collapsed(), prompt.document().fenced());
  }

  private static @Nullable PromptInjection in(String text, boolean fenced) {
    Matcher override = OVERRIDE.matcher(text);
    if (!override.find()) {
      return null;
    }
    String after = text.substring(override.end(), Math.min(text.length(), override.end() + REACH));
    Matcher payload = PAYLOAD.matcher(after);
    return new PromptInjection(payload.find() ? payload.group(1).strip() : "", fenced);
  }
}
