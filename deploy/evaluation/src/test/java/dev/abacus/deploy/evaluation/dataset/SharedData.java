package dev.abacus.deploy.evaluation.dataset;

import java.nio.file.Path;

/** Real data, where a developer's machine has it beside the project. */
final class SharedData {

  private SharedData() {}

  /** The folder, which may not be there. */
  static Path folder(String name) {
    String override = System.getProperty("abacus.shared");
    Path shared = override == null ? Path.of("../../../shared") : Path.of(override);
    return shared.resolve("data").resolve(name);
  }
}
