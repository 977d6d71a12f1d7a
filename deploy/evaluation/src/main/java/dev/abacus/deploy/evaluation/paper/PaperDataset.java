package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.evaluation.dataset.Biodex;
import dev.abacus.deploy.evaluation.dataset.Cuad;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.Mmqa;
import java.nio.file.Path;
import java.util.Locale;

/** The benchmarks of the paper (section 4.2). */
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

  /** As the paper writes it. */
  String title() {
    return title;
  }

  /** Documents that a plan was executed on in the paper. */
  int paperDocuments() {
    return paperDocuments;
  }

  /** Name of its folder below the folder of all data. */
  String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads it.
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
