package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Phrases of a JSON file, drawn at random. The slot {@code {street}} of a phrase is filled with one
 * of the file's {@code streets}, the slot {@code {number}} with a number.
 *
 * @param texts the file: lists of phrases by name
 * @param numbers how many numbers fill slots, from 2 on
 */
public record Phrases(JsonNode texts, Random random, int numbers) {

  private static final Pattern SLOT = Pattern.compile("\\{(\\w+)}");

  /** Reads a file from the class path. */
  public static Phrases read(String resource, Random random, int numbers) {
    try {
      byte[] file = Dataset.resource(resource).getBytes(StandardCharsets.UTF_8);
      return new Phrases(Json.read(file, JsonNode.class), random, numbers);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException(resource, e);
    }
  }

  /** Returns one of the phrases, with its slots filled. */
  public String one(JsonNode phrases) {
    return filled(phrases.get(random.nextInt(phrases.size())).asText());
  }

  /** Returns a phrase with its slots filled. */
  public String filled(String phrase) {
    return SLOT.matcher(phrase)
        .replaceAll(slot ->
            Matcher.quoteReplacement(
                slot.group(1).equals("number")
                    ? String.valueOf(2 + random.nextInt(numbers))
                    : one(texts.path(slot.group(1) + "s"))));
  }
}
