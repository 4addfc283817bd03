"""Print the score of each model, seed and test example."""

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import train_test_split

MODELS = {"production": RandomForestClassifier, "candidate": ExtraTreesClassifier}

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
print("model,seed,id,accuracy")
for name, kind in MODELS.items():
    for seed in range(5):
        model = kind(n_estimators=20, random_state=seed).fit(X_train, y_train)
        for number, right in enumerate(model.predict(X_test) == y_test):
            print(f"{name},{seed},{number},{int(right)}")
