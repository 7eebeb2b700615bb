import LifelineScenarios

extension ParasiteRace {
  /// Parts are destroyed in the order in which they are declared: the parasite is the last, as an associated object is.
  class Page: ActionSheetDelegate, @unchecked Sendable {
    let title = Title("page")
    let parasite = AssociatedParasite()

    override func actionSheet(_ sheet: ActionSheet, clickedButtonAt index: Int) {
      title.draw()  // <- click
      tell("clicked")
    }
  }
}
