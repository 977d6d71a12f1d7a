package dev.abacus.topology.operator.join;

import static dev.abacus.topology.model.ScriptedModelClient.say;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.WordEmbedder;
import dev.abacus.topology.reference.index.ExactIndex;
import java.util.List;
import java.util.Map;

/** A small collection of fruit as a reference, and operators that read it. */
abstract class FruitReference {

  static final int DIMENSIONS = 64;
  static final String YES = "{\"satisfied\": true}";
  static final String NO = "{\"satisfied\": false}";

  final ReferenceCollection fruit = new ReferenceCollection("fruit", "name", ExactIndex::new);
  final OperatorRuntime operators =
      new OperatorRuntime(Embedders.of(new WordEmbedder("words", DIMENSIONS)))
          .forProgram(name -> name.equals("fruit") ? fruit : null);

  FruitReference() {
    item("apple", "red green round apple");
    item("banana", "yellow long banana");
    item("cherry", "red small round cherry");
  }

  void item(String name, String text) {
    fruit.put(name, item(name, text, ""));
  }

  static EmbeddedItem item(String name, String text, String further) {
    String json = "{\"name\": \"%s\", \"text\": \"%s\"%s}".formatted(name, text, further);
    return new EmbeddedItem(
        "h",
        document(json).toBytes(),
        Map.of("words", WordEmbedder.of(text, DIMENSIONS).toArray()),
        Map.of());
  }

  static Document document(String json) {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  static ReferenceJoin join(JoinKind kind, boolean collected) {
    return new ReferenceJoin(
        "match",
        "in",
        "fruit",
        "The document wants it.",
        PairCondition.NONE,
        List.of("wish"),
        kind,
        "item",
        collected);
  }

  static ScriptedModelClient wanting(String word) {
    return ScriptedModelClient.always(
        request -> say(secondDocument(request).contains(word) ? YES : NO).answer(request));
  }

  static String secondDocument(ModelRequest request) {
    String words = ScriptedModelClient.words(request);
    return words.substring(words.lastIndexOf("<document>"));
  }

  static List<String> names(JsonNode items) {
    return items.valueStream().map(item -> item.path("name").asText()).toList();
  }
}
