package dev.abacus.deploy.evaluation.dataset;

import dev.abacus.deploy.cli.option.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option {@code --data}: the folder with the user's copy of data that is not distributed. */
public final class DataFolder {

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "Folder with your copy of the data.")
  private Path path = Path.of("");

  /** The folder as given. */
  public Path path() {
    return path;
  }

  /**
   * The folder, or a folder inside it.
   *
   * @param inside relative path; empty for the folder itself
   * @throws CommandFailure if it does not exist
   */
  public Path require(String inside) {
    Path folder = path.resolve(inside);
    if (!Files.isDirectory(folder)) {
      throw CommandFailure.invalid(
          "no such folder: " + folder, "Pass the folder of the data with --data.");
    }
    return folder;
  }
}
