package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.PublicDataset;
import java.nio.file.Path;
import java.util.Locale;

/** The data sets of the paper (section 4.2). */
enum PaperDataset {
  BIODEX("BioDEX"),
  CUAD("CUAD"),
  MMQA("MMQA");

  private final String title;

  PaperDataset(String title) {
    this.title = title;
  }

  /** Returns the name as in the paper. */
  String title() {
    return title;
  }

  /** Returns the name of its subfolder in the data folder. */
  String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the data set.
   *
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or malformed
   */
  Dataset read(Path folder) {
    return PublicDataset.valueOf(name()).read(folder);
  }
}
