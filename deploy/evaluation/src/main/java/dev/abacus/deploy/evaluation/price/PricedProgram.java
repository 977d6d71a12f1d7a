package dev.abacus.deploy.evaluation.price;

import dev.abacus.deploy.evaluation.dataset.Banking77;
import dev.abacus.deploy.evaluation.dataset.BankingPrompts;
import dev.abacus.deploy.evaluation.dataset.Biodex;
import dev.abacus.deploy.evaluation.dataset.Cuad;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.Enron;
import dev.abacus.deploy.evaluation.dataset.Mmqa;
import java.nio.file.Path;

/** A program with documents, examples and the answers of simulated models. */
enum PricedProgram {
  CUAD("contracts, 41 kinds of clauses"),
  BIODEX("case reports, a vocabulary"),
  MMQA("questions over texts, tables and images"),
  ENRON("mails, a filter and a map"),
  BANKING77("messages, 77 intents"),
  HANDBOOK("messages of 200 tokens behind an instruction of 3,000"),
  TERMS("messages, each with the terms of one of three accounts");

  private final String title;

  PricedProgram(String title) {
    this.title = title;
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
    Path cuad = data.resolve("cuad");
    return switch (this) {
      case CUAD -> Cuad.read(cuad);
      case BIODEX -> Biodex.read(data.resolve("biodex"));
      case MMQA -> Mmqa.read(data.resolve("mmqa"));
      case ENRON -> Enron.read(data.resolve("enron"));
      case BANKING77 -> Banking77.read(banking);
      case HANDBOOK -> BankingPrompts.withHandbook(banking);
      case TERMS -> BankingPrompts.withTerms(banking, cuad);
    };
  }
}
