package dev.abacus.deploy.evaluation.price;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a run gets beside its documents.
 *
 * @param program YAML of the program
 * @param cards a catalogue file that replaces built-in models; null for none
 */
record PricedRun(String program, @Nullable ArrayNode cards) {

  /** The run with another line of the program, or a further one. */
  PricedRun with(String key, String value) {
    String line = key + ": " + value;
    Matcher known = line(key).matcher(program);
    return new PricedRun(
        known.find()
            ? known.replaceAll(Matcher.quoteReplacement(line))
            : program.stripTrailing() + "\n" + line + "\n",
        cards);
  }

  /** The run without the lines of this key, at any depth. */
  PricedRun without(String key) {
    return new PricedRun(
        Pattern.compile("^ *" + key + ":.*\\R", Pattern.MULTILINE).matcher(program).replaceAll(""),
        cards);
  }

  private static Pattern line(String key) {
    return Pattern.compile("^" + key + ":.*$", Pattern.MULTILINE);
  }

  /** The run with models that have no price for cached tokens. */
  PricedRun withoutCachedPrices() {
    ArrayNode all = builtIn();
    for (JsonNode card : all) {
      ((ObjectNode) card).remove("cachedInputUsdPerMillion");
      for (JsonNode tier : card.path("tiers")) {
        ((ObjectNode) tier).remove("cachedInputUsdPerMillion");
      }
    }
    return new PricedRun(program, all);
  }

  private static ArrayNode builtIn() {
    try (InputStream file =
        Objects.requireNonNull(ModelCatalogue.class.getResourceAsStream("models.json"))) {
      return Json.read(file.readAllBytes(), ArrayNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("the built-in catalogue", e);
    }
  }
}
