package dev.abacus.schemas.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.file.FileReading.PdfAs;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileReadingTest {

  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0};

  private static Document ofRecord(PdfAs pdf, byte[] value) throws InvalidDocumentException {
    return new FileReading(List.of(), pdf).read(FileReading.document("id", "k1", value));
  }

  private static Document read(String json, String... fields) throws InvalidDocumentException {
    return new FileReading(List.of(fields), PdfAs.TEXT).read(Document.parse(json));
  }

  private static void assertInvalid(String message, ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageContaining(message);
  }

  private static String base64(byte[] file) {
    return Base64.getEncoder().encodeToString(file);
  }

  @Test
  void aPdfIsReadAsTheTextOfItsPages() throws Exception {
    assertThat(ofRecord(PdfAs.TEXT, PdfFiles.ofTexts("The rent is 900 euros.", "Signed in Rome.")))
        .hasToString(
            """
            {"id":"k1","content":"The rent is 900 euros.\\n\\nSigned in Rome."}\
            """);
  }

  @Test
  void aScanHasNoTextAndIsShownAsPagesIfTheSourceSaysSo() throws Exception {
    byte[] scan = PdfFiles.scanned(1);
    assertInvalid(
        "the field 'content': the PDF has no text (a scan?); 'pdf: text-or-pages' shows",
        () -> ofRecord(PdfAs.TEXT, scan));
    Media pages = Media.of(ofRecord(PdfAs.TEXT_OR_PAGES, scan).get("content"));
    assertThat(pages).isEqualTo(Media.Content.of("application/pdf", scan));
    assertThat(ofRecord(PdfAs.TEXT_OR_PAGES, PdfFiles.ofTexts("Text.")).get("content").asText())
        .isEqualTo("Text.");
    assertThat(Media.of(ofRecord(PdfAs.PAGES, PdfFiles.ofTexts("Text.")).get("content")))
        .isInstanceOf(Media.Content.class);
  }

  @Test
  void whatCannotBeReadSaysWhy() {
    assertInvalid(
        "the PDF is encrypted and needs a password",
        () -> ofRecord(PdfAs.TEXT, PdfFiles.encrypted("Secret.")));
    byte[] whole = PdfFiles.ofTexts("Text.");
    assertInvalid(
        "the PDF cannot be read",
        () -> ofRecord(PdfAs.TEXT, Arrays.copyOf(whole, whole.length / 3)));
    assertInvalid(
        "the field 'content' is no PDF, no HTML, no image",
        () -> ofRecord(PdfAs.TEXT, new byte[] {1, (byte) 0xff, 3}));
  }

  @ParameterizedTest
  @CsvSource({"1, 129", "17, 63"})
  void streamsThatFillTheMemoryAreRefusedBeforeTheyAreRead(int streams, int megabytes)
      throws Exception {
    ByteArrayOutputStream pdf = new ByteArrayOutputStream();
    pdf.writeBytes("%PDF-1.4\n".getBytes(UTF_8));
    byte[] zeros = new byte[1 << 20];
    for (int number = 1; number <= streams; number++) {
      pdf.writeBytes("%d 0 obj <</Filter/FlateDecode>> stream\n".formatted(number).getBytes(UTF_8));
      try (DeflaterOutputStream bomb = new DeflaterOutputStream(pdf)) {
        for (int i = 0; i < megabytes; i++) {
          bomb.write(zeros);
        }
      }
    }
    assertThat(pdf.size()).isLessThan(1_200_000);
    assertInvalid(
        "a compressed stream of more than 128 MB, or more than 1024 MB in all",
        () -> ofRecord(PdfAs.TEXT, pdf.toByteArray()));
  }

  @Test
  void htmlIsReadAsAReaderSeesIt() throws Exception {
    String page =
        """
        <!DOCTYPE html>
        <html><head><title>Offer 12</title><style>p { color: red }</style></head>
        <body><script>track('you')</script>
        <h1>Boiler   repair</h1><p>Call <a href="https://x/y">us</a><br>today.</p>
        <ul><li>parts</li><li>labour</li></ul>
        <table><tr><th>Item</th><th>Price</th></tr><tr><td></td><td>40 &euro;</td></tr></table>
        <p hidden>Pixel</p><pre>a
          b</pre></body></html>
        """;
    String text =
        """
        Offer 12
        Boiler repair
        Call us
        today.
        - parts
        - labour
        Item\tPrice
        \t40 €
        a
          b\
        """;
    assertThat(ofRecord(PdfAs.TEXT, page.getBytes(UTF_8)).get("content").asText()).isEqualTo(text);
    String stated = base64("<b>Dear</b> Ann".getBytes(UTF_8));
    assertThat(read("{\"a\":{\"mediaType\":\"text/html\",\"bytes\":\"%s\"}}".formatted(stated)))
        .hasToString("{\"a\":\"Dear Ann\"}");
    assertThat(ofRecord(PdfAs.TEXT, "<order>7</order>".getBytes(UTF_8)).get("content").asText())
        .isEqualTo("<order>7</order>");
  }

  @Test
  void htmlMayStateItsEncoding() throws Exception {
    String page = "<html><head><meta charset=ENCODING></head><body>Größe 42</body></html>";
    byte[] latin = page.replace("ENCODING", "iso-8859-1").getBytes(ISO_8859_1);
    assertThat(ofRecord(PdfAs.TEXT, latin).get("content").asText()).isEqualTo("Größe 42");
    byte[] wrong = page.replace("charset=ENCODING", "name=x").getBytes(ISO_8859_1);
    assertInvalid(
        "the field 'content': the HTML states no encoding, and is not in UTF-8",
        () -> ofRecord(PdfAs.TEXT, wrong));
  }

  @Test
  void textAndImagesNeedNoConversion() throws Exception {
    assertThat(ofRecord(PdfAs.TEXT, "Größe 42".getBytes(UTF_8)).get("content").asText())
        .isEqualTo("Größe 42");
    assertThat(Media.of(ofRecord(PdfAs.TEXT, PNG).get("content")))
        .isEqualTo(Media.Content.of("image/png", PNG));
    byte[] sound = "RIFF....WAVEfmt ".getBytes(UTF_8);
    assertThat(Media.of(ofRecord(PdfAs.TEXT, sound).get("content")))
        .isEqualTo(Media.Content.of("audio/wav", sound));
    assertThat(FileReading.document("id", null, PNG).fieldNames()).containsExactly("content");
  }

  @Test
  void filesInsideDocumentsAreReadWhereverTheyStand() throws Exception {
    String pdf = base64(PdfFiles.ofTexts("Invoice 7"));
    String file = "{\"mediaType\":\"application/pdf\",\"bytes\":\"%s\"}".formatted(pdf);
    assertThat(read("{\"id\":1,\"a\":[{\"scan\":%s}],\"b\":\"%s\"}".formatted(file, pdf), "b"))
        .hasToString("{\"id\":1,\"a\":[{\"scan\":\"Invoice 7\"}],\"b\":\"Invoice 7\"}");
    assertThat(read("{\"b\":[\"%s\",\"%s\"]}".formatted(pdf, base64(PNG)), "b").get("b").get(1))
        .isEqualTo(Media.Content.of("image/png", PNG).toJson());
    assertThat(read("{\"b\":\"data:application/pdf;base64,%s\"}".formatted(pdf), "b"))
        .hasToString("{\"b\":\"Invoice 7\"}");
  }

  @Test
  void anAddressStaysForTheModelCallUnlessItsTextIsNeeded() throws Exception {
    String image = "{\"a\":{\"uri\":\"https://x/y.png\"}}";
    assertThat(read(image)).hasToString(image);
    assertThat(read("{\"a\":\"https://x/y.png\"}", "a")).hasToString(image);
    assertInvalid(
        "the field 'a' has the address of a PDF; send its bytes, or set 'pdf: pages'",
        () -> read("{\"a\":{\"uri\":\"https://x/y.pdf?v=2\"}}"));
    assertInvalid("neither Base64 nor an address", () -> read("{\"a\":\"a letter\"}", "a"));
  }

  @Test
  void pagesAreImagesOfLimitedSizeAndNumber() throws Exception {
    List<Media.Content> pages = Pdf.images(PdfFiles.scanned(3), 3);
    assertThat(pages).hasSize(3).allMatch(page -> page.kind() == Media.Kind.IMAGE);
    assertThat(javax.imageio.ImageIO.read(new java.io.ByteArrayInputStream(pages.get(0).bytes())))
        .satisfies(image -> {
          assertThat(image.getWidth()).isEqualTo(Pdf.SHORTER_SIDE);
          assertThat(image.getRGB(500, 600) & 0xffffff).isLessThan(0x101010);
        });
    assertInvalid(
        "the PDF has 3 pages, and at most 2 are read", () -> Pdf.images(PdfFiles.scanned(3), 2));
  }
}
