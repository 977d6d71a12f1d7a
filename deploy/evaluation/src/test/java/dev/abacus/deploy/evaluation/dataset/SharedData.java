package dev.abacus.deploy.evaluation.dataset;

import java.nio.file.Path;

/** Real data sets on the machine of a developer, if present. */
public final class SharedData {

  private SharedData() {}

  /** Returns the folder, which may not exist. */
  public static Path folder(String name) {
    String override = System.getProperty("abacus.shared");
    Path shared = override == null ? Path.of("../../../shared") : Path.of(override);
    return shared.resolve("data").resolve(name);
  }
}
