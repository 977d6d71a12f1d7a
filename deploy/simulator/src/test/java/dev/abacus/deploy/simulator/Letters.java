package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Fictional business letters with their ground truth. */
record Letters(Path file, List<Letter> all) {

  static final String CONDITION = "The letter complains about a problem.";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One letter. */
  record Letter(JsonNode row) {

    String text() {
      return row.path("document").path("text").asText();
    }

    JsonNode truth(String field) {
      return row.path("answers").path(field);
    }

    boolean complains() {
      return row.path("conditions").path(CONDITION).asBoolean();
    }

    String evidence(String key) {
      return row.path("evidence").path(key).path(0).asText();
    }
  }

  static Letters load() {
    try {
      URL resource = Objects.requireNonNull(Letters.class.getResource("letters.jsonl"));
      Path file = Path.of(resource.toURI());
      return new Letters(file, Files.readAllLines(file).stream().map(Letters::parse).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Letter parse(String line) {
    try {
      return new Letter(JSON.readTree(line));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
