package dev.abacus.deploy.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.schemas.model.ModelCatalogue;
import dev.abacus.schemas.program.Format;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.ProgramParser;
import dev.abacus.schemas.program.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFilesTest {

  private static final Source SOURCE = new Source("messages", "t", Format.JSON, "id");

  @TempDir Path folder;

  private Path file(String content) throws Exception {
    return Files.writeString(folder.resolve("f.jsonl"), content);
  }

  private static Program program() throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(Files.readString(Path.of("../examples/support-triage/program.yaml")));
  }

  @Test
  void documentsHaveTheSourcesKey() throws Exception {
    Path file = file("{\"id\": \"a\", \"text\": \"x\"}\n\n{\"id\": 7}\n");

    assertThat(InputDocument.read(file, SOURCE))
        .extracting(InputDocument::key)
        .containsExactly("a", "7");
  }

  @Test
  void aDocumentWithoutKeyIsRefusedWithItsLine() throws Exception {
    Path file = file("{\"id\": \"a\"}\n{\"text\": \"x\"}\n");

    assertThatThrownBy(() -> InputDocument.read(file, SOURCE))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("f.jsonl, line 2: the field 'id'");
  }

  @Test
  void aLineThatIsNoObjectIsRefusedWithItsLine() throws Exception {
    Path file = file("{\"id\": \"a\"}\n[1]\n");

    assertThatThrownBy(() -> InputDocument.read(file, SOURCE))
        .hasMessageContaining("line 2: not a JSON object");
  }

  @Test
  void aMissingFileIsSaidSo() {
    assertThatThrownBy(() -> InputDocument.read(folder.resolve("none.jsonl"), SOURCE))
        .hasMessageContaining("none.jsonl: no such file");
  }

  @Test
  void theSampleExamplesAreRead() throws Exception {
    assertThat(ExampleFile.read(Path.of("../examples/support-triage/validation.jsonl"), program()))
        .hasSize(48)
        .allSatisfy((id, example) -> assertThat(example.has("id")).isFalse());
  }

  @Test
  void anExampleOfAnUnknownOperatorIsRefusedWithItsLine() throws Exception {
    Path file =
        file(
            "{\"id\": \"v\", \"source\": \"messages\", \"document\": {}, \"labels\": {\"clasify\": {}}}");

    assertThatThrownBy(() -> ExampleFile.read(file, program()))
        .hasMessageContaining("line 1: unknown operator 'clasify'; did you mean 'classify'?");
  }
}
