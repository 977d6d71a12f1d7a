package dev.abacus.optimizer.search.cascades;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** An interpreter of programs: what they make of a few documents. */
final class ProgramMeaning {

  private ProgramMeaning() {}

  /** An output of a node with the choices that it comes from. */
  private record Derived(Document document, Map<String, Integer> choices) {

    /** Orders the outputs of a document behind those of earlier ones. */
    String arrival() {
      SortedMap<String, Integer> several = new TreeMap<>(choices);
      several.remove("docs");
      several.values().removeIf(choice -> choice == 0);
      return choices.get("docs") + " " + several;
    }
  }

  /** The results of a program for a few documents, in any order. */
  static Map<String, Integer> of(Program program) {
    Map<String, Integer> meaning = new TreeMap<>();
    for (Derived result : derived(program.operators().getLast().id(), program)) {
      meaning.merge(sorted(result.document).toString(), 1, Integer::sum);
    }
    return meaning;
  }

  private static Document sorted(Document document) {
    return document.only(document.fieldNames().stream().sorted().toList());
  }

  private static List<Derived> derived(String node, Program program) {
    LogicalOperator operator = program.operator(node);
    List<Derived> outputs = new ArrayList<>();
    if (operator == null) {
      for (int i = 0; i < 6; i++) {
        outputs.add(
            new Derived(
                Document.empty()
                    .with("a", TextNode.valueOf(node + i))
                    .with("b", TextNode.valueOf("B" + i % 2)),
                Map.of(node, i)));
      }
      return outputs;
    }
    if (operator.inputs().size() == 2) {
      Set<String> fields = new HashSet<>();
      Map<String, List<String>> left = writers(operator.inputs().getFirst(), program);
      writers(operator.inputs().get(1), program)
          .forEach((writer, written) -> {
            if (!left.containsKey(writer)) {
              fields.addAll(written);
            }
          });
      for (Derived one : derived(operator.inputs().getFirst(), program)) {
        boolean alone = true;
        for (Derived other : derived(operator.inputs().get(1), program)) {
          Map<String, Integer> choices = new HashMap<>(one.choices);
          if (operator instanceof Merge && agree(one.choices, other.choices)) {
            choices.putAll(other.choices);
            outputs.add(new Derived(one.document.with(other.document.only(fields)), choices));
          } else if (operator instanceof StreamJoin join
              && one.document.get("b").equals(other.document.get("b"))) {
            outputs.add(
                new Derived(
                    one.document.with(join.into(), sorted(other.document).toJson()), choices));
            alone = false;
          }
        }
        if (operator instanceof StreamJoin join && alone && join.joinKind() == JoinKind.LEFT) {
          outputs.add(one);
        }
      }
      return outputs;
    }
    if (operator instanceof Limit limit) {
      return derived(operator.input(), program).stream()
          .sorted(Comparator.comparing(Derived::arrival))
          .limit(limit.count())
          .toList();
    }
    for (Derived input : derived(operator.input(), program)) {
      List<Document> made = outputs(operator, input.document);
      for (int i = 0; i < made.size(); i++) {
        Map<String, Integer> choices = new HashMap<>(input.choices);
        choices.put(operator.id(), i);
        outputs.add(new Derived(made.get(i), choices));
      }
    }
    return outputs;
  }

  private static boolean agree(Map<String, Integer> one, Map<String, Integer> other) {
    return one.entrySet().stream()
        .allMatch(choice ->
            !other.containsKey(choice.getKey())
                || choice.getValue().equals(other.get(choice.getKey())));
  }

  private static List<Document> outputs(LogicalOperator operator, Document document) {
    if (operator instanceof Project project) {
      return List.of(document.only(project.fields()));
    }
    Document seen = operator.reads().isEmpty() ? sorted(document) : document.only(operator.reads());
    int hash = Math.floorMod(Objects.hash(operator.id(), seen.toString()), 1_000);
    if (!(operator instanceof SemanticMap map)) {
      return hash % 4 == 0 ? List.of() : List.of(document);
    }
    int count = map.cardinality() == SemanticMap.Cardinality.MANY ? hash % 4 : 1;
    List<Document> outputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Document made = document;
      for (String field : map.writtenFields()) {
        made = made.with(field, TextNode.valueOf(map.id() + (hash + 1_000 * i)));
      }
      outputs.add(made);
    }
    return outputs;
  }

  private static Map<String, List<String>> writers(String node, Program program) {
    LogicalOperator operator = program.operator(node);
    Map<String, List<String>> writers = new LinkedHashMap<>();
    if (operator != null) {
      operator.inputs().forEach(input -> writers.putAll(writers(input, program)));
      writers.put(node, operator.writtenFields());
    }
    return writers;
  }
}
