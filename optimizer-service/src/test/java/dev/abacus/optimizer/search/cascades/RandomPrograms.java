package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random programs with branches, or with a join of two streams. */
final class RandomPrograms {

  private RandomPrograms() {}

  /** A random program with branches of one document, nested or not, and what may follow them. */
  static Program branches(Random random) {
    StringBuilder text = new StringBuilder("operators:\n");
    List<String> open = new ArrayList<>(List.of("docs"));
    List<String> nodes = new ArrayList<>(List.of("docs"));
    int count = 3 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String input =
          random.nextInt(3) == 0
              ? nodes.get(random.nextInt(nodes.size()))
              : open.get(random.nextInt(open.size()));
      text.append(operator("o" + i, input, List.of("a", "b", "x", "y"), random));
      open.remove(input);
      open.add("o" + i);
      nodes.add("o" + i);
    }
    open.remove("docs");
    int join = 0;
    while (open.size() > 1) {
      Collections.shuffle(open, random);
      String id = "j" + join++;
      text.append(
          "  - { join: %s, input: %s, with: %s }%n"
              .formatted(id, open.removeLast(), open.removeLast()));
      open.add(id);
    }
    if (join == 0) {
      return branches(random);
    }
    String last = open.getFirst();
    if (random.nextInt(4) == 0) {
      text.append("  - project: [b, y, x, a]\n");
      last = "project";
    }
    for (int i = 0; i < random.nextInt(3); i++) {
      text.append(operator("k" + i, last, List.of("a", "b", "x", "y"), random));
      last = "k" + i;
    }
    if (random.nextInt(3) == 0) {
      text.append("  - limit: 3\n");
    }
    return parse(
        "program: branches\nsources: { docs: { topic: docs } }\n%sresults: { topic: out }\n"
            .formatted(text));
  }

  /** A random program with a join of two streams in the middle. */
  static Program streams(Random random) {
    StringBuilder text = new StringBuilder("operators:\n");
    List<String> fields = List.of("a", "b", "x", "r");
    String left = "left";
    for (int i = 0; i < random.nextInt(3); i++) {
      text.append(operator("l" + i, left, List.of("a", "b", "x", "y"), random));
      left = "l" + i;
    }
    text.append(
        "  - { join: pairs, input: %s, with: right, within: 1m, on: b, into: r, kind: %s }%n"
            .formatted(left, random.nextBoolean() ? "left" : "inner"));
    String last = "pairs";
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      text.append(operator("m" + i, last, fields, random));
      last = "m" + i;
    }
    return parse(
        ("program: streams%nsources: { left: { topic: left }, right: { topic: right } }%n"
                + "%sresults: { topic: out }%n")
            .formatted(text));
  }

  private static String operator(String id, String input, List<String> fields, Random random) {
    String reads =
        random.nextInt(4) == 0
            ? ""
            : "reads: [%s], ".formatted(fields.get(random.nextInt(fields.size())));
    if (random.nextInt(3) == 0) {
      return "  - { filter: %s, input: %s, %scondition: C. }%n".formatted(id, input, reads);
    }
    String many = random.nextInt(5) == 0 ? ", cardinality: many" : "";
    return "  - { map: %s, input: %s, %sinstruction: I., writes: { %s: string }%s }%n"
        .formatted(id, input, reads, fields.get(random.nextInt(3)), many);
  }

  static Program parse(String text) {
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
    } catch (InvalidTextException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
