package dev.abacus.schemas.file;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;

/** PDFs for tests, written by the test. */
final class PdfFiles {

  private interface Change {
    void to(PDDocument document) throws IOException;
  }

  private PdfFiles() {}

  /** A PDF with one page for each text. */
  static byte[] ofTexts(String... pages) {
    return written(document -> texts(document, pages));
  }

  /** A PDF of texts that needs a password. */
  static byte[] encrypted(String... pages) {
    return written(document -> {
      texts(document, pages);
      document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
    });
  }

  /** A PDF whose pages are black pictures. */
  static byte[] scanned(int pages) {
    BufferedImage picture = new BufferedImage(60, 80, BufferedImage.TYPE_INT_RGB);
    Graphics2D drawing = picture.createGraphics();
    drawing.setColor(Color.BLACK);
    drawing.fillRect(0, 0, 60, 80);
    drawing.dispose();
    return written(document -> {
      for (int i = 0; i < pages; i++) {
        PDPage page = new PDPage();
        document.addPage(page);
        try (PDPageContentStream content = new PDPageContentStream(document, page)) {
          content.drawImage(LosslessFactory.createFromImage(document, picture), 0, 0, 600, 800);
        }
      }
    });
  }

  private static void texts(PDDocument document, String... pages) throws IOException {
    for (String text : pages) {
      PDPage page = new PDPage();
      document.addPage(page);
      try (PDPageContentStream content = new PDPageContentStream(document, page)) {
        content.beginText();
        content.setFont(new PDType1Font(FontName.HELVETICA), 12);
        content.newLineAtOffset(50, 700);
        content.showText(text);
        content.endText();
      }
    }
  }

  private static byte[] written(Change change) {
    try (PDDocument document = new PDDocument()) {
      change.to(document);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      document.save(bytes);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
