package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.CallListener;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.topology.Worker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic whose values are the bytes of files, from a producer that knows nothing of Abacus. */
class FileDocumentsIT {

  private static final String PROGRAM =
      """
      program: letters
      sources:
        letters: { topic: letters.in, format: file, pdf: text-or-pages, redact: [email] }
      operators:
        - map: topic
          instruction: What is the letter about?
          reads: [content]
          writes: { topic: { type: string } }
        - project: [id, topic]
      results: { topic: letters.out }
      models: [gpt-4o-mini]
      """;

  @TempDir Path folder;

  private final List<String> requests = new CopyOnWriteArrayList<>();

  @Test
  void pdfsAreReadAsTextOrAsPagesAndBrokenOnesAreDeadLetters() throws Exception {
    CallListener listener = call -> requests.add(call.request());
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(SimulatorOptions.DEFAULTS, Clock.systemUTC(), listener);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs();
        Worker _ = worker(kafka, endpoint)) {
      byte[] letter = pdf("The rent of flat 7 is due; write to ann@example.com.");
      program.sendRaw(
          Map.of(
              "letter.pdf", letter,
              "scan.pdf", pdf(null),
              "page.html",
                  "<html><body><p>The lift<br>is broken.</body></html>"
                      .getBytes(StandardCharsets.UTF_8),
              "torn.pdf", Arrays.copyOf(letter, 300)));

      Map<String, ConsumerRecord<String, String>> answers = RunningProgram.byKey(outputs, 4);
      assertThat(answers.get("letter.pdf").value()).startsWith("{\"id\":\"letter.pdf\",\"topic\":");
      assertThat(answers).containsKeys("scan.pdf", "page.html");
      ConsumerRecord<String, String> torn = answers.get("torn.pdf");
      assertThat(torn.topic()).endsWith(".dlq");
      assertThat(headers(torn))
          .contains("InvalidDocument", "the field 'content': the PDF cannot be read");
    }
    assertThat(requests).hasSize(3);
    assertThat(requests)
        .filteredOn(request -> request.contains("The rent of flat 7 is due; write to [EMAIL_1]."))
        .hasSize(1);
    assertThat(requests)
        .filteredOn(request ->
            request.contains("(page 1 of 1)") && request.contains("data:image/jpeg;base64,"))
        .hasSize(1);
    assertThat(requests).noneMatch(request -> request.contains("ann@example.com"));
  }

  private Worker worker(LocalKafka kafka, SimulatedEndpoint endpoint) throws InterruptedException {
    return RunningProgram.worker(kafka, endpoint, folder.resolve("state"), Map.of());
  }

  private static String headers(ConsumerRecord<String, String> record) {
    StringBuilder headers = new StringBuilder();
    for (Header header : record.headers()) {
      headers.append(new String(header.value(), StandardCharsets.UTF_8)).append('\n');
    }
    return headers.toString();
  }

  /** A page with a text, or without text as a scan has. */
  private static byte[] pdf(@Nullable String text) throws IOException {
    try (PDDocument document = new PDDocument()) {
      PDPage page = new PDPage();
      document.addPage(page);
      if (text != null) {
        try (PDPageContentStream content = new PDPageContentStream(document, page)) {
          content.beginText();
          content.setFont(new PDType1Font(FontName.HELVETICA), 12);
          content.newLineAtOffset(50, 700);
          content.showText(text);
          content.endText();
        }
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      document.save(bytes);
      return bytes.toByteArray();
    }
  }
}
