package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.evaluation.dataset.Biodex;
import dev.abacus.deploy.evaluation.dataset.Cuad;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.Mmqa;
import java.nio.file.Path;
import java.util.Locale;

/** The data sets of the paper (section 4.2). */
enum PaperDataset {
  BIODEX("BioDEX", 250),
  CUAD("CUAD", 100),
  MMQA("MMQA", 100);

  private final String title;
  private final int paperDocuments;

  PaperDataset(String title, int paperDocuments) {
    this.title = title;
    this.paperDocuments = paperDocuments;
  }

  /** Returns the name as in the paper. */
  String title() {
    return title;
  }

  /** Returns the number of documents per plan execution in the paper. */
  int paperDocuments() {
    return paperDocuments;
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
    return switch (this) {
      case BIODEX -> Biodex.read(folder);
      case CUAD -> Cuad.read(folder);
      case MMQA -> Mmqa.read(folder);
    };
  }
}
