package dev.abacus.deploy.evaluation.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Texts that come with the product. */
final class Resources {

  private Resources() {}

  static String text(String path) {
    try (InputStream resource =
        Objects.requireNonNull(Resources.class.getResourceAsStream(path), path)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }
}
