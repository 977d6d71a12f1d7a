package dev.abacus.deploy.evaluation.dataset;

import java.nio.file.Path;

/** The public data sets that are read. */
public enum PublicDataset {
  BANKING77,
  BIODEX,
  CUAD,
  ENRON,
  MMQA;

  /**
   * Reads the data set.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or malformed
   */
  public Dataset read(Path folder) {
    return switch (this) {
      case BANKING77 -> Banking77.read(folder);
      case BIODEX -> Biodex.read(folder);
      case CUAD -> Cuad.read(folder);
      case ENRON -> Enron.read(folder);
      case MMQA -> Mmqa.read(folder);
    };
  }
}
