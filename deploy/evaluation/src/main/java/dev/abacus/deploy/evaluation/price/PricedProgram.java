package dev.abacus.deploy.evaluation.price;

import dev.abacus.deploy.evaluation.dataset.BankingPrompts;
import dev.abacus.deploy.evaluation.dataset.CityMessages;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.PublicDataset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program with documents, examples and the answers of simulated models. */
enum PricedProgram {
  CUAD("contracts, 41 kinds of clauses", "cuad"),
  BIODEX("case reports, a vocabulary", "biodex"),
  MMQA("questions over texts, tables and images", "mmqa"),
  ENRON("mails, a filter and a map", "enron"),
  BANKING77("messages, 77 intents", "banking77"),
  HANDBOOK("messages of 200 tokens behind an instruction of 3,000", "banking77"),
  TERMS("messages, each with the terms of one of three accounts", "banking77", "cuad"),
  CITY("messages to a city of four topics, four filters");

  /** Learning an order takes thousands of documents. */
  static final int CITY_MESSAGES = 8000;

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> folders;

  PricedProgram(String title, String... folders) {
    this.title = title;
    this.folders = List.of(folders);
  }

  /** Its data sets that are missing, as folders. */
  List<Path> missing(Path data) {
    return folders.stream()
        .map(data::resolve)
        .filter(folder -> !Files.isDirectory(folder))
        .toList();
  }

  String title() {
    return title;
  }

  /**
   * Reads the data set.
   *
   * @param data folder with one subfolder per data set
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or malformed
   */
  Dataset read(Path data) {
    Path banking = data.resolve("banking77");
    return switch (this) {
      case CUAD, BIODEX, MMQA, ENRON, BANKING77 ->
          PublicDataset.valueOf(name()).read(data.resolve(folders.getFirst()));
      case HANDBOOK -> BankingPrompts.withHandbook(banking);
      case TERMS -> BankingPrompts.withTerms(banking, data.resolve("cuad"));
      case CITY -> CityMessages.of(CITY_MESSAGES, 1);
    };
  }
}
