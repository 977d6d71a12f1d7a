package dev.abacus.deploy.cli;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.Objects;

/** The program {@code p} of the tests of ACLs: a reference, a stateful operator and a cap. */
final class AclProgram {

  private AclProgram() {}

  static String text(String source, String reference, String results) {
    return """
    program: p
    sources: { s: { topic: %s } }
    references: { r: { topic: %s, key: id, embed: [text] } }
    operators:
      - topk: near
        from: r
        query: [text]
        k: 1
        writes: items
      - map: sort
        instruction: What is it about?
        reads: [text]
        writes: { about: { type: string, enum: [a, b] } }
      - aggregate: sums
        by: [team]
        window: { tumbling: 1s }
        compute: { n: count }
    results: { topic: %s }
    validation: { feedback: FEEDBACK }
    learning: { audit: 0.02 }
    models: [gpt-4o-mini]
    budget: { samples: 4, spending: { usd: 100, per: day } }
    """
        .formatted(source, reference, results);
  }

  static Program of(String source, String reference, String results) throws InvalidTextException {
    Program parsed =
        new ProgramParser(ModelCatalogue.builtIn()).parse(text(source, reference, results));
    // A program with an aggregate may not ask for labels; its access is the same.
    return parsed.withSettings(
        parsed.settings().withLearning(Objects.requireNonNull(parsed.learning()).withReview(1)));
  }
}
